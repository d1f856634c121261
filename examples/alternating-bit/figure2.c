/* The receiver as figure 2 of Holzmann and Smith 2002 prints it, in plain C.
 * SPDX-License-Identifier: MIT */

/* state names and event types: */
enum{ S0, R0, msg, ack };

void accept_data(void);
void send(int type, int number);
void report_error(void);

#define response1                   \
    if (s == seqno) {               \
        accept_data();              \
        send(ack, s);               \
        seqno = 1 - seqno;          \
    }

void
state(int event, int s)
{
    static int state = S0;
    static int seqno = 0;

    switch (state) {
    case S0:
        goto State_S0;
    default:
        report_error();
        return;
    }

State_S0: /* Receiver */
    switch (event) {
    case msg:
        response1 /* macro */
        state = S0; /* unchanged */
        break;
    default:
        /* no response */
        break;
    }
    return;
}
