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
