/* How far a verifier of Spin is, told by itself to a file that it shares with whoever looks. With VERISOFT_LIVE this stands behind Spin's own
 * text (pan.c), and becomes a part of the verifier. It reads Spin's tables and writes none of them: what is searched stays what it is.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_LIVE_H
#define VERISOFT_LIVE_H

#include <stdint.h>

enum { VS_LIVE_ROOM = 10000 };       /* statements of a claim; of a larger one only the numbers are told */

struct vs_live {
    double   states, transitions;    /* stored, as its report counts them */
    int64_t  depth;
    double   memory;                 /* bytes */
    double   seconds;                /* since it was begun, when it told this last */
    uint32_t count;                  /* of statements */
    struct { uint16_t line; uint8_t reached, jump; } statements[VS_LIVE_ROOM];   /* of the claim; the line is the model's. A mere jump says nothing */
};

#ifdef VERISOFT_LIVE

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct vs_live *vs_live;
static struct timespec vs_begun;
static int             vs_claim = -1;            /* its number among processes; -1: there is none, or Spin has not come to it */

/* As Spin's own list of what is unreached has it; and the end of the claim is no state of the automaton. */
static int vs_is_jump(int state)
{
    for (const Trans *t = trans[vs_claim][state]; t; t = t->nxt)
        if (t->tp && (!*t->tp || !strncmp(t->tp, "-end", 4) || !strcmp(t->tp, ".(goto)") || !strncmp(t->tp, "goto ", 5) || !strcmp(t->tp, "break")))
            return 1;
    return !trans[vs_claim][state];
}

/* Spin makes its tables after it has begun. */
static void vs_find_claim(void)
{
    for (int i = 0; i < (int)(sizeof reached / sizeof *reached) - 1 && vs_claim < 0; i++) {
        short *lines = 0;
        for (int k = 0; src_all[k].src; k++)
            if (src_all[k].tp == i)
                lines = src_all[k].src;
        if (!lines || !trans || !trans[i] || NrStates[i] > VS_LIVE_ROOM || strcmp(procname[i], claimname))
            continue;
        vs_claim = i;
        for (int k = 1; k < NrStates[i]; k++) {
            vs_live->statements[k].line = (uint16_t)lines[k];
            vs_live->statements[k].jump = (uint8_t)vs_is_jump(k);
        }
        vs_live->count = (uint32_t)NrStates[i];
    }
}

static void vs_tell(int number)
{
    struct timespec now;
    (void)number;
    if (nstates < 1)
        return;
    if (claimname && vs_claim < 0)
        vs_find_claim();
    for (uint32_t i = 0; vs_claim >= 0 && i < vs_live->count; i++)
        vs_live->statements[i].reached = reached[vs_claim][i] || (mapstate[vs_claim][i] && reached[vs_claim][mapstate[vs_claim][i]]);
    clock_gettime(CLOCK_MONOTONIC, &now);
    vs_live->states = nstates - nShadow;
    vs_live->transitions = nstates + truncs;
    vs_live->depth = mreached;
    vs_live->memory = (double)memcnt;
    vs_live->seconds = (double)(now.tv_sec - vs_begun.tv_sec) + (double)(now.tv_nsec - vs_begun.tv_nsec) / 1e9;
}

static void vs_tell_last(void) { vs_tell(0); }

__attribute__((constructor)) static void vs_begin(void)
{
    struct itimerval often = { { 0, 200000 }, { 0, 200000 } };
    struct sigaction tell = { .sa_handler = vs_tell, .sa_flags = SA_RESTART };
    const char *name = getenv("VS_LIVE");
    int fd = name ? open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    if (!ftruncate(fd, 0) && !ftruncate(fd, sizeof *vs_live))
        vs_live = mmap(0, sizeof *vs_live, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (!vs_live || vs_live == MAP_FAILED)
        return;
    clock_gettime(CLOCK_MONOTONIC, &vs_begun);
    atexit(vs_tell_last);
    sigaction(SIGALRM, &tell, 0);
    setitimer(ITIMER_REAL, &often, 0);
}

#endif
#endif
