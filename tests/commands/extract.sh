# Stage one and two of extraction: every statement is accounted for; the map, its warnings, its mistakes. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_parser
bring constructs.c
cp "$project"/examples/alternating-bit/* .

line "verisoft extract constructs.c --machine | grep -v -e '^constant' -e '^variable' -e pthread"
line "verisoft extract constructs.c --statements"
line "verisoft extract constructs.c 2>&1 > model.pml | tail -1"

run verisoft extract figure2.c --defaults -o figure2.harness
run cat figure2.harness
mkdir elsewhere
line "verisoft extract figure2.c --defaults -o elsewhere/figure2.harness 2> log && verisoft extract elsewhere/figure2.harness -o model.pml 2>&1 | tail -1"
run verisoft extract perfect.harness
line "verisoft extract perfect.harness --statements | grep -v control"

# The sample of the paper, as it stands.
cat > sample.c <<'END'
typedef struct line line;
struct driver { int trunk; void (*disconnect)(line *), (*ring)(line *, int, void *); };
struct line { struct driver *drv; int cswit; };
enum { Swport = 4, CFBL = 1, Ctring = 7, offhook = 1, onhook };
int fenable(line *, int);
void *memcpy(void *, const void *, unsigned long);
void call(line *x, int event, void *ipc)
{
    static int state = 1;
    switch (state) {
    case 1:
        if (x->drv->trunk)
            return;
        if (fenable(x, CFBL))
            x->cswit |= Swport;
        if ((x->cswit & Swport) == 0)
            x->drv->disconnect(x);
        if (x->cswit & Swport)
            x->cswit & ~Swport;
        x->drv->ring(x, Ctring, ipc);
        memcpy(x, ipc, sizeof *x);
        memcpy(ipc, x, 1);
        state = event == offhook ? 1 : 2;
        break;
    case 2:
        if (event == onhook)
            state = 1;
    }
}
END
cat > sample.map <<'END'
1 (x->drv->trunk)           false
2 !((x->drv->trunk))        true
3 fenable(x,CFBL)          true
4 !((fenable(x,CFBL)))     true
5 ((x->cswit&Swport)==0)    (cswit&Swport)
                             ==0
6 !((x->cswit&Swport))      !(cswit&Swport)
7 x->cswit&~Swport          cswit=
                             (cswit&~Swport)
8 x->cswit|=Swport          cswit=
                             (cswit|Swport)
9 x->drv->disconnect(x)     acs!Ctdis
10 x->drv->ring              acs!Ctring
    (x,Ctring,ipc)
11 memcpy                   true
END
cat > sample.harness <<'END'
verisoft harness 1
source sample.c
machine call
map sample.map
declare
    int cswit; chan acs = [0] of { int };
    #define Ctdis 9
end
END
line "verisoft extract sample.harness --statements | grep -v control"
line "verisoft extract sample.harness -o sample.pml; grep -c acs sample.pml"

# Entries that match nothing, and what cannot be carried over.
sed 's/^end_of_map$//' > stale.harness <<'END'
verisoft harness 1
source sender.at
machine sender
map
    (s == seqno)       keep
    seqno = seqno + 1  keep
    sendx              skip
    s == FIRST         true
end
feature LOUD  s & LOUD
END
line "verisoft extract stale.harness > /dev/null"
line "verisoft extract sender.at --unmapped keep > /dev/null"
cat > recursive.c <<'END'
int depth;
static void down(int n) { if (n) down(n - 1); depth = n; }
void machine(int event)
{
    static int state = 1;
    switch (state) { case 1: if (event == 3) down(2); state = 1; }
}
END
line "verisoft extract recursive.c > /dev/null"

# Mistakes.
echo 'void f(int e) { static int s = 1; switch (s) { @@ } @a: goto B_b; }' > bad.at
run verisoft extract bad.at
echo 'int f( { }' > bad.c
run verisoft extract bad.c
echo 'int f(void) { return 1; }' > none.c
run verisoft extract none.c
run verisoft extract
run verisoft extract none.c --nonsense
run verisoft extract missing.harness
printf 'verisoft harness 1\nsource sender.at\nmachine sender function sendr\n' > bad.harness
run verisoft extract bad.harness
printf 'verisoft harness 1\nsource sender.at\nmap\n  x\nend\n' > bad.harness
run verisoft extract bad.harness
printf 'verisoft harness 1\nsource sender.at\nmap\n  x  skip\n' > bad.harness
run verisoft extract bad.harness
printf 'verisoft harness 1\nsource sender.at\nmachine sender\nproperty p\n  symbol q sender.sqno == 1\n  holds []q\nend\n' > bad.harness
run verisoft extract bad.harness
