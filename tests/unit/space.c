/* The reader of state-space files: what a search wrote is understood, what is wrong is named by its line, ways are shortest.
 * SPDX-License-Identifier: MIT */
#include "simulator/space.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(struct space *s, const char *text, struct err *err)
{
    return space_parse(s, text, strlen(text), "sss.VS", err);
}

static const char sample[] =
    "verisoft-sss 1\nprogram: main.c\nsearch: stateful\nreduction: none\nprocesses: 2\nsomething: new\n"
    "state 0: end\n0 1 2 VS_toss(3) = 1\n1 2 2 send(0, \"a\")\n2 3 1 rcv(0) = \"a\"\n0 3 1 VS_toss(3) = 1\n3 0 1 back\n"
    "state 3: assertion, process 1\nstate 2: deadlock\nend: complete\n";

static void test_sample(void)
{
    struct space s;
    struct err err;
    CHECK(parse(&s, sample, &err) == 0);
    CHECK(s.states == 4 && s.count == 5 && s.label_count == 4 && s.note_count == 3 && s.complete);
    CHECK(!strcmp(s.program, "main.c") && !strcmp(s.search, "stateful") && !strcmp(s.reduction, "none"));
    CHECK(s.transitions[0].from == 0 && s.transitions[0].to == 1 && s.transitions[0].process == 2);
    CHECK(s.transitions[0].label == s.transitions[3].label && !strcmp(s.labels[s.transitions[0].label], "VS_toss(3) = 1"));
    CHECK(s.notes[1].state == 3 && s.notes[1].process == 1 && !strcmp(s.notes[1].what, "assertion"));
    CHECK(s.notes[2].state == 2 && s.notes[2].process == 0 && !strcmp(s.notes[2].what, "deadlock"));
    space_fini(&s);
}

/* ---- what is wrong ---- */

static void refused(const char *text, int line, const char *words)
{
    struct space s;
    struct err err = { .text = "" };
    char place[32];
    snprintf(place, sizeof place, "sss.VS:%d: ", line);
    CHECK(parse(&s, text, &err) < 0);
    CHECK(!s.states && !s.count && !s.transitions);
    if (strncmp(err.text, place, strlen(place)) || !strstr(err.text, words)) {
        printf("\"%s\" instead of \"%s...%s\"\n", err.text, place, words);
        failures++;
    }
}

static void test_refusals(void)
{
    refused("", 1, "first line");
    refused("verisoft-sss 1", 1, "first line");
    refused("verisoft-path 1\n", 1, "not a state-space file");
    refused("verisoft-sss 2\n", 1, "version 2");
    refused("verisoft-sss one\n", 1, "not a number");
    refused("verisoft-sss 1\nwhat is this\n", 2, "neither");
    refused("verisoft-sss 1\n\n", 2, "neither");
    refused("verisoft-sss 1\n0 1 1 a\nsearch: x\n", 3, "neither");
    refused("verisoft-sss 1\n0 1\n", 2, "two states");
    refused("verisoft-sss 1\n0 x 1 a\n", 2, "two states");
    refused("verisoft-sss 1\n0 1 0 a\n", 2, "process");
    refused("verisoft-sss 1\n0 1 65 a\n", 2, "process");
    refused("verisoft-sss 1\n0 1 1\n", 2, "operation");
    refused("verisoft-sss 1\n0 1 1 \n", 2, "operation");
    refused("verisoft-sss 1\n0 1 1 a\n1 4294967295 1 a\n", 3, "two states");
    refused("verisoft-sss 1\n0 1 1 a\n0 4294967294 1 a\n0 2 1 a\n", 3, "4294967294");
    refused("verisoft-sss 1\nstate x: end\n", 2, "note");
    refused("verisoft-sss 1\nstate 0: \n", 2, "note");
    refused("verisoft-sss 1\nstate 0: deadlock, process 1x\n", 2, "note");
    refused("verisoft-sss 1\nend: complete\n0 1 1 a\n", 3, "last line");
}

/* Every file that was cut short is read as far as its last whole line. */
static void test_cut(void)
{
    struct space s;
    for (size_t length = strlen("verisoft-sss 1\n"); length < strlen(sample); length++) {
        CHECK(space_parse(&s, sample, length, "cut", NULL) == 0);
        CHECK(!s.complete && s.states >= 1);
        space_fini(&s);
    }
    CHECK(parse(&s, "verisoft-sss 1\n0 1 1 a\nend: cut short by max_sss, 7 more lines\n", NULL) == 0);
    CHECK(!s.complete && s.count == 1);
    space_fini(&s);
}

/* One byte changed, at every place: a space, or an error with its line. */
static void test_changed(void)
{
    static const char bytes[] = { '\0', '\n', ' ', '0', '9', ':', 'x', '\377' };
    char text[sizeof sample];
    for (size_t at = 0; at < sizeof sample - 1; at++)
        for (size_t i = 0; i < sizeof bytes; i++) {
            struct space s;
            struct err err = { .text = "" };
            memcpy(text, sample, sizeof sample);
            text[at] = bytes[i];
            if (space_parse(&s, text, sizeof sample - 1, "x", &err) < 0)
                CHECK(!strncmp(err.text, "x:", 2) && atoi(err.text + 2) > 0);
            space_fini(&s);
        }
}

/* ---- ways ---- */

static void way_is(const struct space *s, uint32_t state, int expected)         /* -1: none */
{
    struct err err = { .text = "" };
    uint32_t count, *way = space_way(s, state, &count, &err);
    CHECK(expected < 0 ? !way && *err.text : way && count == (uint32_t)expected);
    for (uint32_t i = 0; way && i < count; i++)
        CHECK(s->transitions[way[i]].to == (i + 1 < count ? s->transitions[way[i + 1]].from : state));
    free(way);
}

static void test_ways(void)
{
    struct space s;
    CHECK(parse(&s, sample, NULL) == 0);
    way_is(&s, 0, 0);
    way_is(&s, 1, 1);
    way_is(&s, 2, 2);
    way_is(&s, 3, 1);
    way_is(&s, 4, -1);
    space_fini(&s);
    CHECK(parse(&s, "verisoft-sss 1\nsearch: dfs\n0 1 1 a\n2 3 1 b\n", NULL) == 0);
    way_is(&s, 3, -1);
    space_fini(&s);
    CHECK(parse(&s, "verisoft-sss 1\nsearch: random\n0 1 1 a\n2 3 1 b\n3 4 1 b\n", NULL) == 0);
    way_is(&s, 2, 0);
    way_is(&s, 4, 2);
    space_fini(&s);
}

/* ---- labels ---- */

static void test_labels(void)
{
    struct space s;
    struct err err;
    bool matching[4];
    CHECK(parse(&s, sample, NULL) == 0 && s.label_count == 4);
    CHECK(space_match(&s, "*", matching, &err) == 0 && matching[0] && matching[1] && matching[2] && matching[3]);
    CHECK(space_match(&s, "^(VS|rcv).*=", matching, &err) == 0 && matching[0] && !matching[1] && matching[2] && !matching[3]);
    CHECK(space_match(&s, "(", matching, &err) < 0 && strstr(err.text, "Unmatched"));
    space_fini(&s);
}

/* ---- where a scenario leads ---- */

static void test_positions(void)
{
    struct space s;
    struct err err;
    struct space_step steps[] = { { 2, "VS_toss(3) = 1" }, { 2, "send(0, \"a\")" }, { 1, "rcv(0) = \"a\"" }, { 1, "back" } };
    CHECK(parse(&s, sample, &err) == 0);
    for (uint32_t state = 0; state < 4; state++)
        CHECK(space_position(&s, steps, 4, state) == state);
    CHECK(space_position(&s, steps, 1, 2) == -1 && space_position(&s, steps, 0, 0) == 0);
    steps[1].process = 1;
    CHECK(space_position(&s, steps, 4, 1) == 1 && space_position(&s, steps, 4, 2) == -1);
    steps[0].process = 1;                        /* another way to state 3 */
    CHECK(space_position(&s, steps, 1, 3) == 1);
    space_fini(&s);
    struct space_step walk[] = { { 1, "a" }, { 1, "c" } };
    CHECK(parse(&s, "verisoft-sss 1\nsearch: random\n0 1 1 a\n1 2 1 b\n3 4 1 a\n4 5 1 c\nend: complete\n", &err) == 0);
    CHECK(space_position(&s, walk, 2, 5) == 2 && space_position(&s, walk, 2, 2) == -1 && space_position(&s, walk, 2, 3) == 0);
    space_fini(&s);
}

/* ---- large ---- */

static void test_large(void)
{
    enum { STATES = 300000 };
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    struct space s;
    if (!out)
        abort();
    fprintf(out, "verisoft-sss 1\nsearch: stateful\n");
    for (int i = 0; i + 1 < STATES; i++)
        fprintf(out, "%d %d %d operation(%d)\n%d 0 1 back\n", i, i + 1, i % 64 + 1, i % 1000, i);
    fprintf(out, "end: complete\n");
    fclose(out);
    CHECK(space_parse(&s, text, length, "large", NULL) == 0);
    CHECK(s.states == STATES && s.count == 2 * (STATES - 1) && s.label_count == 1001 && s.complete);
    way_is(&s, STATES - 1, STATES - 1);
    space_fini(&s);
    free(text);
}

static void test_files(void)
{
    struct space s;
    struct err err;
    CHECK(space_read(&s, "/no/such/file", &err) < 0 && strstr(err.text, "/no/such/file"));
    CHECK(space_read(&s, "/", &err) < 0 && strstr(err.text, "directory"));
    CHECK(space_read(&s, "/dev/zero", &err) < 0 && strstr(err.text, "no regular file"));
    CHECK(space_read(&s, "tests/corpus/space/manual.VS", &err) == 0 && s.states == 4 && s.complete);
    space_fini(&s);
}

int main(void)
{
    test_sample();
    test_refusals();
    test_cut();
    test_changed();
    test_ways();
    test_labels();
    test_positions();
    test_large();
    test_files();
    return failures != 0;
}
