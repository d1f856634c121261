/* The copy that reads a script, or writes one, is killed in the middle: that is said, it is not taken for the end of the script, and no file is made.
 * The script has a state with very many transitions: to write or read it takes as long for each of them as for the first. SPDX-License-Identifier: MIT */
#include "certifier/beside.h"
#include "certifier/scribe.h"

#include "check.h"
#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STATES = 300000, BEFORE = 20000, SECONDS = 60 };  /* more than fit into the line between the two; there is a copy by then; of processor, in each of them */

static char file[SCRATCH_ROOM];
static struct fields none;

/* From the first state to another one and back, so many times. */
static void tell(struct scribe *s, uint64_t from, uint64_t to)
{
    for (uint64_t state = from; state < to; state++) {
        scribe_step(s, 1, state);
        scribe_back(s);
    }
}

static struct scribe *begin(void)
{
    struct err err = { .text = "" };
    struct scribe *s = scribe_new(SCRIPT_SEARCH, SCRIBE_BESIDE, file, &err);
    CHECK(s && labels_add(scribe_labels(s), 0, "go on", "") == 1);
    tell(s, 1, BEFORE);
    return s;
}

static int finish(struct scribe *s, struct err *err)
{
    uint64_t bytes;
    scribe_back(s);
    int rc = scribe_finish(s, &none, file, &bytes, err);
    scribe_free(s);
    return rc;
}

/* Of this process group only the copy hears it. */
static void kill_copy(void)
{
    signal(SIGUSR1, SIG_IGN);
    CHECK(!kill(0, SIGUSR1));
}

static uint64_t read_all(struct script *script, uint64_t kill_behind, int *more, struct err *err)
{
    struct script_entry e;
    uint64_t entries = 0;
    while ((*more = script_next(script, &e, err)) > 0)
        if (++entries == kill_behind)
            kill_copy();
    return entries;
}

static void check_reader(uint64_t kill_behind)
{
    struct err err = { .text = "" };
    struct script *script = script_open(file, &err);
    int more;
    CHECK(script != NULL);
    signal(SIGUSR1, SIG_DFL);
    script_read_beside(script);
    uint64_t entries = read_all(script, kill_behind, &more, &err), all = 2 * (STATES - 1) + 1;
    CHECK(kill_behind ? more < 0 && err_code(&err) != -EBADMSG && entries >= kill_behind && entries < all : more == 0 && entries == all);
    CHECK(!kill_behind || strstr(err.text, "the process that reads it has ended"));
    script_close(script);
}

static void check_writer(bool killed)
{
    struct err err = { .text = "" };
    signal(SIGUSR1, SIG_DFL);
    unlink(file);
    struct scribe *s = begin();
    if (killed)
        kill_copy();
    tell(s, BEFORE, STATES);
    int rc = finish(s, &err);
    CHECK(!rc == !killed);
    CHECK(!killed || strstr(err.text, "the process that wrote the certificate has ended"));
    CHECK(!access(file, F_OK) == !killed);
}

int main(void)
{
    if (beside_processors() < 2) {
        printf("there is one processor, so nobody writes or reads beside\n");
        return 77;
    }
    CHECK(!setpgid(0, 0) && !setrlimit(RLIMIT_CPU, &(struct rlimit){ SECONDS, SECONDS }));
    CHECK(scratch_file(file, "beside"));
    check_writer(true);
    check_writer(false);
    check_reader(0);
    check_reader(1);
    check_reader(STATES / 2);
    unlink(file);
    return failures != 0;
}
