/* How far a verifier of Spin is, told by itself to a file that it shares with whoever looks. With VERISOFT_LIVE this stands behind Spin's own
 * text (pan.c), and becomes a part of the verifier. It reads Spin's tables and writes none of them: what is searched stays what it is.
 * SPDX-License-Identifier: MIT */
#ifndef VERISOFT_LIVE_H
#define VERISOFT_LIVE_H

#include <stdint.h>

enum { VS_LIVE_ROOM = 10000 };       /* statements of a claim; of a larger one only the numbers are told */
enum { VS_LIVE_LINES = 32768 };      /* of a model: Spin has no others */
enum vs_line { VS_LINE_THERE = 1, VS_LINE_REACHED = 2 };         /* it has a statement; somebody stood there */

struct vs_live {
    double   states, transitions;    /* stored, as its report counts them */
    int64_t  depth;
    double   memory;                 /* bytes */
    double   seconds;                /* since it was begun, when it told this last */
    uint32_t count;                  /* of statements */
    struct { uint16_t line; uint8_t reached, jump; } statements[VS_LIVE_ROOM];   /* of the claim; the line is the model's. A mere jump says nothing */
    uint8_t  whole;                  /* it has come to its end, and the lines are told: */
    uint8_t  lines[VS_LIVE_LINES];   /* enum vs_line */
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

enum { VS_TYPES = (int)(sizeof reached / sizeof *reached) - 1 }; /* of processes */
static struct vs_live *vs_live;
static struct timespec vs_begun;
static int             vs_claim = -1;            /* its number among processes; -1: there is none, or Spin has not come to it */

/* As Spin's own list of what is unreached has it; and the end of the claim is no state of the automaton. */
static int vs_is_jump(int type, int state)
{
    for (const Trans *t = trans[type][state]; t; t = t->nxt)
        if (t->tp && (!*t->tp || !strncmp(t->tp, "-end", 4) || !strcmp(t->tp, ".(goto)") || !strncmp(t->tp, "goto ", 5) || !strcmp(t->tp, "break")))
            return 1;
    return !trans[type][state];
}

static const short *vs_lines_of(int type)
{
    for (int k = 0; src_all[k].src; k++)
        if (src_all[k].tp == type)
            return src_all[k].src;
    return 0;
}

static int vs_was_reached(int type, uint32_t state)
{
    return reached[type][state] || (mapstate[type][state] && reached[type][mapstate[type][state]]);
}

/* The only claim of a model has no name for Spin: -N is left out of account then. */
static int vs_is_claim(int type)
{
#if defined(VERI) && NCLAIMS == 1 && !defined(NP)
    return type == VERI;
#else
    return claimname && !strcmp(procname[type], claimname);
#endif
}

/* Spin makes its tables after it has begun. */
static void vs_find_claim(void)
{
    for (int i = 0; i < VS_TYPES && vs_claim < 0; i++) {
        const short *lines = vs_lines_of(i);
        if (!lines || !trans || !trans[i] || NrStates[i] > VS_LIVE_ROOM || !vs_is_claim(i))
            continue;
        vs_claim = i;
        for (int k = 1; k < NrStates[i]; k++) {
            vs_live->statements[k].line = (uint16_t)lines[k];
            vs_live->statements[k].jump = (uint8_t)vs_is_jump(i, k);
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
    if (vs_claim < 0)
        vs_find_claim();
    for (uint32_t i = 0; vs_claim >= 0 && i < vs_live->count; i++)
        vs_live->statements[i].reached = (uint8_t)vs_was_reached(vs_claim, i);
    clock_gettime(CLOCK_MONOTONIC, &now);
    vs_live->states = nstates - nShadow;
    vs_live->transitions = nstates + truncs;
    vs_live->depth = mreached;
    vs_live->memory = (double)memcnt;
    vs_live->seconds = (double)(now.tv_sec - vs_begun.tv_sec) + (double)(now.tv_nsec - vs_begun.tv_nsec) / 1e9;
}

/* A line is reached when a statement of it was: behind the first of them nobody may ever stand. */
static void vs_tell_last(void)
{
    vs_tell(0);
    for (int i = 0; trans && i < VS_TYPES; i++) {
        const short *lines = vs_lines_of(i);
        for (int k = 1; lines && trans[i] && k < NrStates[i]; k++)
            if (lines[k] > 0 && !vs_is_jump(i, k))
                vs_live->lines[lines[k]] |= VS_LINE_THERE | (vs_was_reached(i, (uint32_t)k) ? VS_LINE_REACHED : 0);
    }
    vs_live->whole = 1;
}

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
