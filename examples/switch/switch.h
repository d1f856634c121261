/* A small telephone switch: what its parts share.
 *
 * A port is a line or a trunk. A line is a record and a routine, line(), that is called for each event; so are trunks. Ports talk to
 * each other by events alone, which wait in one queue (main.c), so a routine runs to its end before the next one begins.
 * SPDX-License-Identifier: MIT */
#ifndef SWITCH_H
#define SWITCH_H

#include <stdbool.h>

enum { PORTS = 64, FIRST_TRUNK = 48, DIGITS = 15, CALLS = 2, BRIDGES = 2, RECEIVERS = 8, HOPS = 5, RECORDS = 256 };

enum event {
    Eoffhook = 1, Eonhook, Eflash, Edigit,       /* from the subscriber's set; a digit comes in `with` */
    Ering,                                       /* a call comes in, from a port */
    Ealert, Ebusy, Eanswer, Edisc,               /* what became of a call: the other side is rung, is not to be had, answers, is gone */
    Eforward,                                    /* the other side has left the call to another port, `with` */
    Eroute, Enoroute,                            /* the router has found a way for a call that is forwarded, or none */
    Etimer
};

enum tone { Tnone, Tdial, Tringback, Tbusy, Treorder, Thowler, Twaiting };

enum feature {
    CFBL = 1,                                    /* call forwarding, busy line */
    CFDA = 2,                                    /* call forwarding, don't answer */
    CW   = 4,                                    /* call waiting */
    TWC  = 8,                                    /* three-way calling */
    ACR  = 16,                                   /* anonymous call rejection */
    DTS  = 32,                                   /* denied terminating service: it cannot be called */
    DOS  = 64                                    /* denied originating service: it cannot call */
};

enum cause { Cbusy = 1, Cdenied, Canonymous, Cnobody };          /* why a call is refused: `with` of Ebusy */

enum wait {                                      /* what a timer is for */
    Wdigit = 1,                                  /* the next digit */
    Wnetwork,                                    /* a sign of life of the called side */
    Wanswer,                                     /* the subscriber's answer, or call forwarding */
    Wring,                                       /* the same, of a party on hold that rings back */
    Wtone                                        /* a tone that ends */
};

enum analysis { Amore, Aline, Atrunk, Abad };    /* of the digits so far */

struct timer { int kind; long due; };            /* kind 0: it does not run */

struct line {
    int          state;                          /* of line(); 1 at the beginning */
    int          port;
    char         number[DIGITS + 1];
    unsigned     features;
    bool         private;                        /* its number is not shown to those it calls */
    char         forward[DIGITS + 1];            /* where its calls are forwarded to */
    int          first, second;                  /* ports: whom it talks to, calls or is called by; who is on hold, or waits; 0: nobody */
    char         dialled[DIGITS + 1];
    int          digits;
    int          tone, receiver, bridge;         /* a receiver and a bridge count from 1; 0: none */
    bool         bell;
    struct timer timer;
    int          hops;                           /* how often its call was forwarded */
    int          bills[CALLS];                   /* records, from 1 on; 0: none */
};

/* line.at */
void line(struct line *x, int event, int from, int with);

/* trunk.at */
void trunk(struct line *x, int event, int from, int with);

/* main.c: events */
void post(int to, int event, int from, int with);
void trace(const struct line *x, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* data.c: who has which number and feature */
struct line *port_line(int port);                /* NULL: there is no such port */
struct line *line_numbered(const char *number);  /* NULL: nobody has it */
bool fenable(const struct line *x, unsigned feature);
bool anonymous(int port);
bool provision(int port, const char *number, const char *features, const char *forward);
const char *feature_list(unsigned features);

/* digits.c */
void digits_clear(struct line *x);
void digits_add(struct line *x, int digit);
int  digits_analyse(const struct line *x);
int  digits_port(const struct line *x);          /* whom they mean; 0: nobody */

/* route.c */
bool divertible(const struct line *x, int caller);       /* does x forward calls to somebody, and was this one not forwarded too often? */
void divert(struct line *x, int caller);         /* leaves a caller to whom x forwards its calls */
void route(struct line *x, int caller);          /* asks for a way for it; Eroute or Enoroute comes back */
void route_take(struct line *x, int caller);     /* goes the way that was found */
void route_cancel(struct line *x);               /* what was asked for is not wanted any more */

/* device.c: what subscribers hear, and what digits are heard with */
void tone(struct line *x, int tone);
void bell(struct line *x, bool on);
void path_connect(struct line *x, int port);
void path_break(struct line *x, int port);
bool receiver_left(void);
void receiver_get(struct line *x);
void receiver_free(struct line *x);
bool bridge_left(void);
void bridge_get(struct line *x);
void bridge_free(struct line *x);

/* timer.c */
void timer_start(struct line *x, int kind);
void timer_stop(struct line *x);
bool timer_advance(long until);                  /* to the next one that is due, for which Etimer is posted; false: none is until then */

/* bill.c */
void bill_begin(struct line *x, int port);
void bill_answer(struct line *x, int port);
void bill_end(struct line *x, int port);
void bill_move(struct line *x, int from, int to);        /* the call is with another port now */
void bill_forward(struct line *x, int caller);
void bill_print(void);
long now(void);                                  /* seconds since the switch began */

/* The first version of line.at had ten errors. -DFIRST puts them all in, -DERROR=N the Nth alone. */
#ifdef FIRST
#define HAS(n) 1
#elif defined ERROR
#define HAS(n) (ERROR == (n))
#else
#define HAS(n) 0
#endif

#endif
