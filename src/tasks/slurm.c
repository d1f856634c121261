/* A crew on a cluster: commands that are begun together are a job array of Slurm, by Slurm's own commands (sbatch, squeue, scontrol, scancel); nothing of ours talks
 * between machines.
 * The command, its files and the current folder must be seen by all nodes under the same names.
 *
 * What a job says goes to a file of the crew's folder. A job that Slurm took away (a node failed, was drained; it was preempted, or over its memory or time) has
 * died, with Slurm's reason. Jobs carry the crew's name: what a crew that was killed has left is cancelled by the next of that name.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tasks/slurm.h"

#include "base/ask.h"
#include "base/memory.h"
#include "base/prose.h"
#include "tasks/crew.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SAID = 4096 };           /* bytes */
/* Milliseconds: between two looks; until an answer is late; for which Slurm may not know a job; for which it may not answer at all. */
enum { SOON = 100, SELDOM = 1000, LATE = 1000, MISSING = 10000, SILENT = 300000 };
enum { LARGEST_ARRAY = 1000 };       /* jobs: Slurm's own MaxArraySize, unless it is set otherwise */

struct slurm_job {
    uint64_t ticket;
    char     id[40], machine[64];    /* 17_3, the fourth of its array; which node, "" when it waits */
    double   missing;                /* since when Slurm does not know it; 0: it does */
    bool     unwanted;               /* nothing is to be heard of it; it is cancelled when Slurm answers again */
};

struct cluster {
    struct crew     crew;
    struct slurm_settings settings;
    struct slurm_job *jobs;
    uint32_t        count;
    struct asking   asking;          /* which of them are under way; nobody waits for the answer longer than he likes */
    char           *told;            /* the answer, until all is done that it asks for; NULL: there is none */
    double          asked, looked, stirred;      /* when a question was asked, last; was answered; when something began or ended */
    double          silent;          /* since when Slurm does not answer; 0: it does */
};

static struct cluster *cluster_of(const struct crew *c) { return (struct cluster *)c; }

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- a job ---- */

/* What a shell takes for one word, whatever is in it. */
static void add_quoted(struct prose *out, const char *word)
{
    prose_add(out, "'");
    for (; *word; word++)
        prose_add(out, *word == '\'' ? "'\\''" : "%c", *word);
    prose_add(out, "' ");
}

static char *output_of(const struct cluster *c, const char *id)
{
    return prose_make("%s/task%s.out", c->settings.folder, id);
}

/* Each job of the array is one of the commands. */
static char *script_of(const struct crew_order *orders, uint32_t count)
{
    struct prose script = { 0 };
    prose_add(&script, "#!/bin/sh\ncase $SLURM_ARRAY_TASK_ID in\n");
    for (uint32_t i = 0; i < count; i++) {
        prose_add(&script, "%u) exec ", i);
        for (int k = 0; orders[i].command[k]; k++)
            add_quoted(&script, orders[i].command[k]);
        prose_add(&script, ";;\n");
    }
    prose_add(&script, "esac\n");
    return prose_take(&script);
}

static int write_script(const char *file, const struct crew_order *orders, uint32_t count, struct err *err)
{
    char *script = script_of(orders, count);
    FILE *to = fopen(file, "we");
    int bad = !to || fputs(script, to) < 0 || fclose(to) ? fail_errno(err, "%s cannot be written", file) : 0;
    free(script);
    return bad;
}

/* Gives the array's number; 0: Slurm does not take it. */
static long submit(const struct cluster *c, const char *script, uint32_t count)
{
    char *name = prose_make("--job-name=%s", c->settings.name), *output = prose_make("--output=%s/task%%A_%%a.out", c->settings.folder);
    char *memory = prose_make("--mem=%d", c->settings.memory), *array = prose_make("--array=0-%u", count - 1);
    char *const sbatch[] = { "sbatch", "--parsable", "--no-requeue", "--ntasks=1", name, array, output, c->settings.memory ? memory : (char *)"--export=ALL", (char *)script, NULL };
    char *told = ask_line(sbatch);
    long id = told ? strtol(told, NULL, 10) : 0;
    free(name);
    free(output);
    free(memory);
    free(array);
    free(told);
    return id > 0 ? id : 0;
}

static int start_array(struct cluster *c, const struct crew_order *orders, uint32_t count, struct err *err)
{
    char *file = prose_make("%s/tasks%llu.sh", c->settings.folder, (unsigned long long)orders[0].ticket);
    assert(count && count <= LARGEST_ARRAY);
    int bad = write_script(file, orders, count, err);
    long array = bad ? 0 : submit(c, file, count);
    if (!bad && !array)
        bad = fail(err, "sbatch takes no job array; try: sbatch --array=0-%u --wrap true", count - 1);
    for (uint32_t i = 0; !bad && i < count; i++) {
        struct slurm_job *j = &c->jobs[c->count++];
        *j = (struct slurm_job){ .ticket = orders[i].ticket };
        snprintf(j->id, sizeof j->id, "%ld_%u", array, i);
    }
    c->stirred = now_ms();
    unlink(file);                    /* Slurm has its own copy */
    free(file);
    return bad;
}

static bool cancel(const char *id)
{
    char *const scancel[] = { "scancel", (char *)id, NULL }, *told = ask_all(scancel);
    bool done = told;
    free(told);
    return done;
}

/* ---- how it ended ---- */

static char *said(const struct cluster *c, const char *id)
{
    char *file = output_of(c, id), *text = NULL;
    FILE *in = fopen(file, "re");
    if (in) {
        text = memory_get(MOST_SAID + 1);
        text[fread(text, 1, MOST_SAID, in)] = '\0';
        fclose(in);
    }
    unlink(file);
    free(file);
    return text;
}

/* JobState=FAILED Reason=NonZeroExitCode ... ExitCode=2:0 */
static char *field_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? prose_make("%.*s", (int)strcspn(at + strlen(name), " \n"), at + strlen(name)) : prose_make("%s", "");
}

static bool has_ended(const char *state)
{
    static const char *const going[] = { "PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED", "STOPPED", "RESIZING", "SIGNALING", "STAGE_OUT", "REQUEUED" };
    for (size_t i = 0; i < sizeof going / sizeof *going; i++)
        if (!strcmp(state, going[i]))
            return false;
    return true;
}

static void end(struct cluster *c, uint32_t i, const char *state, const char *reason, const char *exit, struct crew_ended *to)
{
    assert(i < c->count);
    struct slurm_job j = c->jobs[i];
    int code = 0, signal = 0;
    bool by_itself = (!strcmp(state, "COMPLETED") || !strcmp(state, "FAILED")) && sscanf(exit, "%d:%d", &code, &signal) == 2 && !signal;
    *to = (struct crew_ended){ j.ticket, by_itself ? code : -1, by_itself ? 0 : signal, said(c, j.id) };
    if (!by_itself) {
        char *words = prose_make("Slurm's job %s on %s: %s%s%s%s%.300s", j.id, *j.machine ? j.machine : "no node", state, *reason ? ", " : "", reason, to->said ? ": " : "",
                                 to->said ? to->said : "");
        free(to->said);
        to->said = words;
    }
    c->jobs[i] = c->jobs[--c->count];
    c->stirred = now_ms();
}

static bool look_at(struct cluster *c, uint32_t i, struct crew_ended *to)
{
    struct slurm_job *j = &c->jobs[i];
    char *const scontrol[] = { "scontrol", "-o", "show", "job", j->id, NULL };
    char *told = ask_line(scontrol), *state = told ? field_of(told, "JobState=") : NULL, *reason = told ? field_of(told, " Reason=") : NULL;
    char *exit = told ? field_of(told, " ExitCode=") : NULL, *node = told ? field_of(told, " NodeList=") : NULL;
    bool over = false;
    j->missing = told && *state ? 0 : j->missing ? j->missing : now_ms();
    if (node && strcmp(node, "(null)"))
        snprintf(j->machine, sizeof j->machine, "%s", node);
    if (j->missing && now_ms() - j->missing > MISSING) {
        end(c, i, "LOST", "Slurm does not know it any more", "", to);
        over = true;
    } else if (told && *state && has_ended(state)) {
        end(c, i, state, strcmp(reason, "None") ? reason : "", exit, to);
        over = true;
    }
    free(told);
    free(state);
    free(reason);
    free(exit);
    free(node);
    return over;
}

/* ---- looking ---- */

/* Seldom where nothing has happened for long: a cluster has others to serve. */
static double pause_of(const struct cluster *c)
{
    double quiet = (now_ms() - c->stirred) / 4;
    return quiet < SOON ? SOON : quiet > SELDOM ? SELDOM : quiet;
}

/* Which of them are still under way: one question for all; only of the others more is asked. */
static bool ask(struct cluster *c)
{
    char *name = prose_make("--name=%s", c->settings.name);
    char *const squeue[] = { "squeue", "-h", "-r", name, "-o", " %i %T %N;", NULL };
    bool asked = ask_begin(&c->asking, squeue);
    c->asked = now_ms();
    free(name);
    return asked;
}

/* False: there is no answer yet. */
static bool hear(struct cluster *c, int milliseconds)
{
    double left = c->asking.pid ? 0 : c->looked + pause_of(c) - now_ms();
    if (left > 0)
        poll(NULL, 0, left < milliseconds ? (int)left + 1 : milliseconds);
    if (left > milliseconds || (!c->count && !c->silent))
        return false;
    if ((c->asking.pid || ask(c)) && !ask_hear(&c->asking, milliseconds, &c->told))
        return false;
    c->looked = now_ms();
    c->silent = c->told ? 0 : c->silent ? c->silent : c->looked;
    for (uint32_t i = 0; c->silent && i < c->count; i++)
        c->jobs[i].missing = 0;      /* nobody said that it is */
    return true;
}

static bool is_under_way(struct cluster *c, uint32_t i)
{
    char *mark = prose_make(" %s RUNNING ", c->jobs[i].id), *waits = prose_make(" %s PENDING ", c->jobs[i].id), *runs = strstr(c->told, mark);
    if (runs)
        snprintf(c->jobs[i].machine, sizeof c->jobs[i].machine, "%.*s", (int)strcspn(runs + strlen(mark), ";"), runs + strlen(mark));
    bool known = runs || strstr(c->told, waits);
    free(mark);
    free(waits);
    return known;
}

/* Its commands would wait. */
static bool is_away(const struct cluster *c)
{
    return c->silent || (c->asking.pid && now_ms() - c->asked > LATE);
}

static void drop(struct cluster *c, uint32_t i)
{
    free(said(c, c->jobs[i].id));
    c->jobs[i] = c->jobs[--c->count];
}

/* Slurm may be away for a while, and come back with all its jobs; but not for ever. */
static int without_answer(struct cluster *c, struct crew_ended *to, struct err *err)
{
    if (now_ms() - c->silent < SILENT)
        return 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (!c->jobs[i].unwanted) {
            end(c, i, "LOST", "Slurm does not answer any more", "", to);
            return 1;
        }
    return fail(err, "Slurm does not answer any more (squeue)");
}

static int look(struct crew *crew, int milliseconds, struct crew_ended *to, struct err *err)
{
    struct cluster *c = cluster_of(crew);
    if (!c->told && !hear(c, milliseconds))
        return 0;
    if (!c->told)
        return without_answer(c, to, err);
    for (uint32_t i = c->count; i-- > 0;) {
        bool goes_on = is_under_way(c, i);
        if (c->jobs[i].unwanted && (!goes_on || cancel(c->jobs[i].id)))
            drop(c, i);
        else if (!c->jobs[i].unwanted && !goes_on && look_at(c, i, to))
            return 1;                /* and at once again: there may be more */
    }
    free(c->told);
    c->told = NULL;
    return 0;
}

/* ---- the crew ---- */

static void stop(struct crew *crew, uint64_t ticket)
{
    struct cluster *c = cluster_of(crew);
    for (uint32_t i = c->count; i-- > 0;)
        if (c->jobs[i].ticket == ticket) {
            c->jobs[i].unwanted = true;
            if (!is_away(c) && cancel(c->jobs[i].id))
                drop(c, i);
        }
}

static uint32_t room(const struct crew *crew)
{
    const struct cluster *c = cluster_of(crew);
    return !is_away(c) && (int)c->count < c->settings.jobs ? (uint32_t)c->settings.jobs - c->count : 0;
}

static int start(struct crew *crew, const struct crew_order *orders, uint32_t count, struct err *err)
{
    int bad = 0;
    uint32_t done = 0;
    while (done < count && !bad) {
        uint32_t some = count - done < LARGEST_ARRAY ? count - done : LARGEST_ARRAY;
        bad = start_array(cluster_of(crew), orders + done, some, err);
        done += bad ? 0 : some;
    }
    while (bad && done-- > 0)
        stop(crew, orders[done].ticket);
    return bad;
}

static const char *machine(const struct crew *crew, uint64_t ticket)
{
    const struct cluster *c = cluster_of(crew);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->jobs[i].ticket == ticket)
            return c->jobs[i].machine;
    return "";
}

static void cancel_all(const char *crew_name)
{
    char *name = prose_make("--name=%s", crew_name);
    char *const scancel[] = { "scancel", name, NULL }, *const squeue[] = { "squeue", "-h", name, "-o", "%i", NULL };
    free(ask_all(scancel));
    for (int tries = 0; tries < 100; tries++) {                  /* a job that is cancelled goes on for a moment */
        char *left = ask_all(squeue);
        bool gone = !left || !*left;
        free(left);
        if (gone)
            break;
        poll(NULL, 0, 100);
    }
    free(name);
}

static void free_cluster(struct crew *crew)
{
    struct cluster *c = cluster_of(crew);
    ask_forget(&c->asking);
    free(c->told);
    cancel_all(c->settings.name);
    while (c->count)
        free(said(c, c->jobs[--c->count].id));
    free(c->jobs);
    free(c);
}

static const struct crew_place place = { free_cluster, room, start, stop, look, machine };

/* Slurm's commands wait a minute for a configuration that is not there. */
static int check_configuration(struct err *err)
{
    const char *file = getenv("SLURM_CONF");
    return !file || !access(file, R_OK) ? 0 : fail_errno(err, "SLURM_CONF=%s: Slurm's configuration cannot be read", file);
}

struct crew *crew_slurm(const struct slurm_settings *settings, struct err *err)
{
    char *const there[] = { "sinfo", "-h", "-o", "%D", NULL };
    if (check_configuration(err))
        return NULL;
    char *nodes = ask_line(there);
    if (!nodes || !*nodes) {
        free(nodes);
        fail(err, "Slurm does not answer (sinfo); is it installed (apt-get install slurm-wlm), and does its controller run?");
        return NULL;
    }
    free(nodes);
    cancel_all(settings->name);
    struct cluster *c = memory_get(sizeof *c);
    c->crew.place = &place;
    c->settings = *settings;
    c->jobs = memory_get(((size_t)settings->jobs + 1) * sizeof *c->jobs);
    return &c->crew;
}
