/* Any bytes as a certificate, or as the script behind a header that fits: they are refused with words, or entries come out that mean
 * something. SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "certifier/marks.h"
#include "certifier/partition.h"
#include "certifier/tree_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ENTRIES = 20000 };            /* are looked at: a byte can stand for thousands */

static void must(bool true_is)
{
    if (!true_is)
        abort();
}

/* Every entry goes on from where the script stands, by a label that is there, to a state that is known or the next one. */
static void check_script(const char *file)
{
    struct err err = { .text = "" };
    struct script *script = script_open(file, &err);
    struct script_entry e;
    must(script || err.text[0]);
    const struct script_start *start = script ? script_start(script) : NULL;
    uint64_t next = start ? start->next : 1, last = 0;
    int more = script ? 1 : 0;
    for (int i = 0; i < ENTRIES && more > 0; i++) {
        more = script_next(script, &e, &err);
        must(more >= 0 || err.text[0]);
        if (more <= 0)
            break;
        must(!last || e.number == last + 1);
        must(e.from < next && (e.label == BACK || (e.label <= script_labels(script)->count && e.to <= next)));
        must(e.label == BACK || e.is_new == (e.to == next));
        next += e.label != BACK && e.is_new;
        last = e.number;
    }
    script_close(script);
}

static void check_marks(const char *file)
{
    struct marks marks = { 0 };
    struct err err = { .text = "" };
    struct script *script = script_open(file, &err);
    int rc = script ? marks_make(&marks, script, UINT64_MAX, NULL, &err) : -1;
    must(!rc || err.text[0]);
    must(rc || marks.count);
    marks_fini(&marks);
    script_close(script);
}

static void check_tree(const char *file)
{
    struct err err = { .text = "" };
    struct tree_file *tree = tree_recognise(file) ? tree_open(file, &err) : NULL;
    struct tree_step step;
    uint32_t back, count = 0;
    int more = tree != NULL;
    for (int i = 0; i < ENTRIES && more > 0; i++)
        more = count ? (count--, tree_next_step(tree, &step, &err)) : tree_next(tree, &back, &count, &err);
    must(more >= 0 || err.text[0]);
    tree_close(tree);
}

/* Behind a header of ours, if it is none: the first byte says of which kind. */
static void write_file(int fd, const uint8_t *data, size_t size)
{
    bool whole = !size || data[0] == 'v';
    if (!whole)
        dprintf(fd, "verisoft-scc %d\nkind: %s\nstates: %u\ntransitions: %u\nscript-bytes: %zu\n\n", SCRIPT_VERSION, script_kinds[data[0] & 1], ENTRIES,
                ENTRIES, size - 1);
    must(write(fd, data + !whole, size - !whole) == (ssize_t)(size - !whole));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char file[32];
    int fd = memfd_create("scc", MFD_CLOEXEC);
    must(fd >= 0);
    write_file(fd, data, size);
    snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    check_script(file);
    if (size < 256)                  /* it is read to its end */
        check_marks(file);
    check_tree(file);
    close(fd);
    return 0;
}
