/* Files that nobody recorded: a script of which some bytes are others is rejected, or all of what it was about executed; one of a few bytes that
 * would go on for long is rejected before its end. And the digest by which a certificate knows its program.
 *
 *     certificate_bytes [programs of a kind]
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/sha256.h"
#include "certifier/wording.h"
#include "check.h"
#include "random.h"
#include "scripted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRAMS = 3 };

/* ---- any bytes ---- */

enum { DAMAGES = 1500 };

struct bytes { uint8_t all[1 << 16]; uint32_t count; };

static struct bytes read_file(void)
{
    static struct bytes b;
    FILE *in = fopen(scripted_file, "rb");
    b.count = (uint32_t)fread(b.all, 1, sizeof b.all, in);
    fclose(in);
    return b;
}

static void write_file(const struct bytes *b)
{
    FILE *out = fopen(scripted_file, "wb");
    fwrite(b->all, 1, b->count, out);
    fclose(out);
}

static void damage(struct bytes *b, struct random *random)
{
    for (uint32_t times = 1 + random_next(random) % 3; times && b->count; times--) {
        uint32_t at = (uint32_t)(random_next(random) % b->count), how = (uint32_t)(random_next(random) % 4);
        if (how == 0)
            memmove(&b->all[at], &b->all[at + 1], b->count-- - at - 1);
        else if (how == 1)
            b->all[at] = (uint8_t)random_next(random);
        else if (how == 2)
            b->all[at] = (uint8_t)(random_next(random) % 16);    /* an entry, as like as not */
        else if (b->count + 1 < sizeof b->all)
            memmove(&b->all[at + 1], &b->all[at], b->count++ - at);
    }
}

/* The same header, with the length that the bytes behind it have now. */
static void write_behind_header(const struct bytes *whole, uint32_t header, const struct bytes *script)
{
    static struct bytes all;
    const char *name = "script-bytes: ";
    char *at = memmem(whole->all, header, name, strlen(name));
    all.count = (uint32_t)snprintf((char *)all.all, sizeof all.all, "%.*s%s%u\n\n", (int)(at - (char *)whole->all), (char *)whole->all, name,
                                   script->count);
    memcpy(all.all + all.count, script->all, script->count);
    all.count += script->count;
    write_file(&all);
}

/* Of a damaged file nothing is believed, and nobody falls over it. Gives 1 when it was rejected. */
static int survive(const struct subject *s, uint32_t i)
{
    static struct executed x;
    struct certification c = scripted_follow(s->system, false);
    bool rejected = c.result == CERTIFY_REJECTED;
    if (c.result == CERTIFY_CERTIFIED) {
        scripted_execute(s->system, &x);
        if (x.states != s->states || x.transitions != s->transitions) {
            printf("accepted: damage %u\n", i);
            failures++;
        }
    }
    certification_fini(&c);
    return rejected;
}

static void check_damages(const struct subject *s)
{
    struct random random = { s->seed };
    int rejected = 0;
    scripted_record(s->system, SCRIPT_SEARCH);
    static struct bytes whole, bad;
    whole = read_file();
    uint32_t header = (uint32_t)((uint8_t *)memmem(whole.all, whole.count, "\n\n", 2) - whole.all) + 2;
    for (uint32_t i = 0; i < DAMAGES; i++) {
        bad = whole;
        if (i % 4) {
            bad.count -= header;
            memcpy(bad.all, whole.all + header, bad.count);
        }
        damage(&bad, &random);
        if (i % 4)
            write_behind_header(&whole, header, &bad);
        else
            write_file(&bad);
        rejected += survive(s, i);
    }
    CHECK(rejected > DAMAGES / 2);
}

static void check_small(int programs, bool shares)
{
    for (uint64_t seed = 1; programs; seed++) {
        static struct subject s;
        scripted_open(&s, seed, shares);
        if (s.small)
            check_damages(&s);
        programs -= s.small;
        scripted_close(&s);
    }
}

/* ---- a file of a few bytes that would go on for long ---- */

enum { ROUNDS = 200000, SEEN_AT = 1 << 16 };     /* SEEN_AT: RECOUNT_FEW of certify.c */

/* Steps that the program can take, one after the other, each of which is said to lead to a new state; false: it comes to an end. */
static bool write_rounds(struct system *system)
{
    struct step *path = malloc(ROUNDS * sizeof *path);
    struct wording wording = { 0 };
    struct err err;
    struct script_written written;
    uint64_t bytes;
    uint32_t depth = 0;
    struct script_writer *w = script_writer_new(SCRIPT_SEARCH, scripted_file, &err);
    while (depth < ROUNDS && system->enabled) {
        int process = 63 - __builtin_clzll(system->enabled);
        uint32_t node = system->node[process];
        if (system_execute(system, process, 0, &path[depth], &err) != STEP_TAKEN)
            break;
        uint32_t label = wording_label(&wording, system, script_writer_labels(w), UNWORDED_ADD, (uint32_t)process, node, path[depth].result);
        script_write_step(w, label, ++depth);
    }
    bool goes_on = depth == ROUNDS;
    while (depth)
        system_undo(system, &path[--depth]);
    for (uint32_t i = 0; i <= ROUNDS && goes_on; i++)
        script_write_back(w);
    CHECK(!goes_on || (!script_writer_end(w, &written) && !script_make(&written, script_writer_spool(w), &scripted_none, scripted_file, &bytes, &err)));
    script_writer_free(w);
    wording_fini(&wording);
    free(path);
    return goes_on;
}

/* A script that calls the same states new again and again is rejected before it comes to its end. */
static void check_rounds(void)
{
    bool found = false;
    for (uint64_t seed = 1; !found; seed++) {
        static struct subject s;
        scripted_open(&s, seed, false);
        found = s.suits && write_rounds(s.system);
        if (found) {
            struct certification c = scripted_follow(s.system, false);
            CHECK(c.result == CERTIFY_REJECTED && c.states <= SEEN_AT);
            certification_fini(&c);
        }
        scripted_close(&s);
    }
}

/* ---- the digest ---- */

static void check_digest(bool plainly)
{
    struct sha256 s;
    sha256_init(&s);
    s.plainly = plainly;
    sha256_add(&s, "abc", 3);
    CHECK(!strcmp(sha256_end(&s).text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    sha256_init(&s);
    s.plainly = plainly;
    for (int i = 0; i < 1000000; i++)
        sha256_add(&s, "a", 1);
    CHECK(!strcmp(sha256_end(&s).text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

int main(int argc, char **argv)
{
    int programs = argc > 1 ? atoi(argv[1]) : PROGRAMS;
    CHECK(scratch_file(scripted_file, "certificate"));
    check_digest(false);
    check_digest(true);
    check_rounds();
    check_small(programs, false);
    check_small(argc > 1 ? programs : PROGRAMS - 1, true);
    unlink(scripted_file);
    return failures != 0;
}
