# What a routine keeps behind its pointer; conditions of several parts; holes in the map; what does not last is forgotten.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_spin

cat > door.at <<'END'
struct lamp { int on; };
struct door { int state, who; unsigned char count; struct lamp lamp; };
enum { open_it = 1, close_it, knock };
enum { BELL = 1, LOCK };
int  has(struct door *, int), friendly(int);
void tell(int, int, int), ring(const char *, int);

static void light(struct lamp *l, int on) { l->on = on; }
static void let_in(struct door *d, int visitor)
{
    d->who = visitor;
    d->count = 1;
    light(&d->lamp, 1);
}

void door(struct door *x, int event, int from)
{
    int known;
    goto start;
@closed:
    switch (event) {
    case open_it:
        if (has(x, LOCK) && x->count == 0)
            goto out;
        let_in(x, from);
        goto B_open;
    case knock:
        if (!(has(x, BELL) || friendly(from)) || x->count > 2)
            goto out;
        tell(from, knock, x->who);
        goto out;
    case close_it:
        goto out;
    }
@open:
    switch (event) {
    case close_it:
        known = x->who == from;
        if (known)
            tell(x->who, close_it, 0);
        x->who = 0;
        light(&x->lamp, 0);
        goto B_closed;
    case open_it:
    case knock:
        ring("a, b)", 1);
        goto out;
    }
start:
    switch (x->state) { @@ }
error:
out:;
}
END
cat > door.harness <<'END'
verisoft harness 1
source door.at
machine door
values door.from 1 2
feature LOCK has(x,LOCK)
feature BELL has(x,BELL)
map
    d->who=visitor     keep
    d->count=1         keep
    l->on=on           keep
    x->who=0           keep
    (x->count==0)      keep
    known=x->who==from  keep
    (known)            keep
    tell($1,close_it,$2)  said = $1 + $2
    tell($1,$2,$3)     skip
    ring($1,$2)        rung = $2
end
declare
    byte said, rung;
end

property once-open
    says   who is let in is known while the door is open
    symbol open  door@open && door.event == -1
    symbol known door.who > 0
    holds  [](open -> known)
end
property locked
    says   a locked door is never open
    symbol open  door@open
    features +LOCK
    holds  []!open
end
property lit
    symbol open  door@open && door.event == -1
    symbol dark  door.lamp.on == 0
    holds  [](open -> !dark)
end
property said-of
    symbol said  said == 2
    holds  []!said
end
END
line "verisoft extract door.harness"
line "verisoft extract door.harness --statements | grep -e mapped -e out:"
line "verisoft verify door.harness 2> log | grep -v -e '^ *[0-9|]' -e '^\$'"
line "verisoft verify door.harness said-of --form variables 2> log | tail -16"

# A pointer that moves is no record; what is handed on from elsewhere has no name here.
cat > moves.at <<'END'
struct door { int state, who; struct door *next; };
static void mark(struct door *d) { d->who = 1; }
void door(struct door *x, int event)
{
    static int state = 1;
    goto start;
@closed:
    if (event == 1)
        mark(x->next);
    if (event == 2)
        x = x->next;
    x->who = 2;
    goto B_closed;
start:
    switch (state) { @@ }
error:
out:;
}
END
printf 'verisoft harness 1\nsource moves.at\nmachine door\nmap\n  x->who=2  keep\nend\n' > moves.harness
line "verisoft extract moves.harness > /dev/null"
printf 'verisoft harness 1\nsource moves.at\nmachine door\nmap\n  d->who=1  keep\nend\n' > moves.harness
line "verisoft extract moves.harness > /dev/null"

# Fields of a union are one memory, however the union is called: none is a variable of its own, and what changes one is not left out of what reads another.
cat > union.c << 'END'
#include <assert.h>
enum { A, B };
enum { IDLE, BUSY };
typedef struct { int state; union { int whole; struct { char first, second; }; }; } line;
void go(line *x, int event)
{
    switch (x->state) {
    case IDLE:
        switch (event) {
        case A: x->second = 1; x->state = BUSY; break;
        case B: assert(x->whole == 0);
        }
        break;
    case BUSY: x->state = IDLE;
    }
}
END
run verisoft extract union.c --unmapped keep
cat > joined.c << 'END'
#include <assert.h>
typedef union { int a; unsigned char b[4]; } both;
static both u;
static struct { int e; union { int c; short d; } in; } x;
int main(void)
{
    u.b[0] = 1;
    x.in.d = 5;
    x.e = 3;
    assert(u.a == x.in.c);
    return 0;
}
END
printf 'verisoft harness 1\nsource joined.c\nprogram\nunmapped abstract\nmap\nu.a == x.in.c  keep\nend\n' > joined.harness
line "verisoft extract joined.harness --statements 2> log | head -2"
