# Thompson's @-format: plain C that compiles without warnings and runs; every mistake with its line. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"

cat > sender.at <<'END'
#include <stdio.h>
enum { msg, ack };
#define response1 if (s == seqno) { printf("taken %d: @}\n", s); seqno = 1 - seqno; }
/* state machine, with an @ in a comment */
void state(int event, int s)
{
    static int state = 1;
    static int seqno = 0;

    goto start;
@S0: /* control state */
    if (event == msg) {
        response1
    } /* else ignore */
    goto B_S0; /* state remains S0 */
start:
    switch(state) {
        @@ /* jump-table */
    }
    state = 0; /* missing state */
error:
    puts("no such state");
out: /* exit label */
    return;
}

struct line { int state; const char *log; };
void line(struct line *x, int event)
{
    goto start;
@idle:
    switch (event) {
    case 'A':
        puts("action0");
    @:  switch (event) {
        case '1':
            puts("action1");
        @:  if (event != '2') {
                goto error;
            }
            goto B_busy;
        case 'B':
            goto A_idle;
        }
        break;
    case 'B':
        puts("action2");
        break;
    }
    goto B_ready;
@busy:
    puts("busy");
    goto B_idle;
@ready:
    puts("ready");
    goto B_idle;
start:
    switch (x->state) {
        @@
    }
error:
    printf("error in %d, line %d\n", x->state, __LINE__);
    x->state = 1;
out:;
}

int main(void)
{
    struct line x = { 1, "" };
    state(msg, 0); state(ack, 1); state(msg, 0); state(msg, 1);
    for (const char *event = "A12xA1xABx"; *event; event++)
        line(&x, *event);
    return 0;
}
END
run verisoft at sender.at -o sender.c
line "sed -n '/goto start/,\$p' sender.c | grep -n -e 'A_' -e '#line'"
run head -1 sender.c
must ${CC:-gcc} -Wall -Wextra -Werror -o sender sender.c
run ./sender
line "verisoft at sender.at | cmp - sender.c"

cat > wrong.at <<'END'
int outside = @;
void no_table(int event)
{
@one:
    if (event) goto B_one;
out:
    return;
}
void many(int event)
{
    static int state = 1;
    switch (state) { @@ @@ }
@twice: goto B_twice;
@twice: goto B_nowhere;
@ dead : goto A_twice;
A_twice: ;
}
void no_switch(void) { @@ }
void unreached(int event)
{
    static int state = 1;
    goto start;
@here:
    while (1) { if (event) goto B_here; if (event > 2) break; }
    return;
@never:
    if (event) goto B_never;
    goto B_here;
@later:
    do { if (event == 3) goto B_here; } while (event);
@falls:
    for (;;) if (event) goto B_later;
start:
    switch (state) { @@ }
error: out: return;
}
END
run verisoft at wrong.at -o wrong.c
line "ls wrong.c"
run verisoft at
run verisoft at sender.at sender.c
run verisoft at sender.at --nonsense
run verisoft at none.at
run verisoft at sender.at -o /nowhere/x.c
