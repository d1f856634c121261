# What a followed function gives back, and what it is given, has the width of its type, and a cast that of its own: in the model as in C.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
needs_parser
cat > widths.c <<'END'
enum event { GO, STOP };
enum state { IDLE, BUSY };
static enum state state = IDLE;
static int level;
static char mark;
static unsigned char narrow(int x) { return x + 300; }
static char narrow_signed(int x) { return x + 200; }
static short middle(int x) { return x; }
static int take(char c) { return c; }
void machine(enum event e)
{
    switch (state) {
    case IDLE:
        if (e == GO) {
            level = narrow(level);
            level = narrow_signed(level);
            level = middle(level + 70000);
            mark = middle(level);
            level = take(level + 200);
            level = (short)(level + 70000);
            state = BUSY;
        }
        break;
    default:
        break;
    }
}
END
line "verisoft extract widths.c --unmapped keep -o widths.pml > said 2>&1; grep -o -e 'level = .*;' -e 'mark = .*;' -e 'c_[0-9]* = ((.*;' widths.pml | sed 's/ goto .*//'"

# One assignment within another is done first, and what it stored is what the other stores.
cat > chain.c <<'END'
enum { S0, S1 };
enum { A, B };
void go(int event)
{
    static int state = S0; static unsigned char v0; static short v1; static unsigned char arr[2];
    switch (state) {
    case S0:
        switch (event) {
        case A: v1 = v0 = 300 + v1; state = S1; break;
        case B: arr[1] = v1 += 70; break;
        }
        break;
    case S1:
        switch (event) {
        case A: v1 = arr[0] = ++v0; state = S0; break;
        case B: v0 = v1 = 0; break;
        }
        break;
    }
}
END
line "verisoft extract chain.c --unmapped keep 2> log | grep ' = .* = ' | sed 's/ goto.*//'"
