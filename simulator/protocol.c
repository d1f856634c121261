/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/protocol_internal.h"

#include "base/memory.h"
#include "base/version.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/value.h"
#include "report/waiting.h"
#include "simulator/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROTOCOL_VERSION = 1 };

static json_t *where(struct protocol *p) { return view_where(p->simulator, &p->inside, protocol_seq(p)); }

int protocol_moved(struct protocol *p, json_t *reply, int rc)
{
    if (rc >= 0)
        json_object_set_new(reply, "where", where(p));
    return rc;
}

int protocol_give(json_t *reply, const char *key, json_t *value)
{
    if (!value)
        return -EINVAL;
    if (key)
        return json_object_set_new(reply, key, value);
    json_object_update(reply, value);
    json_decref(value);
    return 0;
}

/* A program is the same by any way to its files: ../main.c, main.c. */
static bool same_program(const char *a, const char *b)
{
    for (;;) {
        size_t in_a = strcspn(a, " "), in_b = strcspn(b, " ");
        const char *file_a = memrchr(a, '/', in_a), *file_b = memrchr(b, '/', in_b);
        file_a = file_a ? file_a + 1 : a;
        file_b = file_b ? file_b + 1 : b;
        if (a + in_a - file_a != b + in_b - file_b || memcmp(file_a, file_b, (size_t)(a + in_a - file_a)))
            return false;
        if (!a[in_a] || !b[in_b])
            return a[in_a] == b[in_b];
        a += in_a + 1;
        b += in_b + 1;
    }
}

void protocol_warn(const struct protocol *p, const char *what, const char *program, json_t *reply)
{
    const char *name = simulator_job(p->simulator)->name;
    if (!program || same_program(program, name))
        return;
    char *words = prose_make("%s was saved for another program, %s, and this one is %s; it may not fit", what, program, name);
    json_object_set_new(reply, "warning", value_text(words));
    free(words);
}

static int get_process(const struct protocol *p, const json_t *q, int *process, struct err *err)
{
    uint32_t number, count = (uint32_t)simulator_run(p->simulator)->system->processes;
    int rc = argument_need_number(q, "process", &number, err);
    if (rc < 0)
        return rc;
    if (number < 1 || number > count)
        return fail(err, "there is no process %u; the program has %u", number, count);
    *process = (int)number - 1;
    return 0;
}

/* ---- inside ---- */

/* Whatever comes of it (gdb may be dead): the transition stands in the trace, and the process is behind it. */
void protocol_leave(struct protocol *p)
{
    struct err err;
    if (p->inside.process < 0)
        return;
    debug_leave(p->debug, &err);
    p->inside.process = -1;
    p->seq++;
}

/* A program that turned out to be a group needs another one. */
static struct debug *debug(struct protocol *p)
{
    bool group = simulator_job(p->simulator)->native.group;
    if (p->debug && p->debug_group != group) {
        debug_free(p->debug);
        p->debug = NULL;
    }
    if (!p->debug)
        p->debug = debug_new(simulator_job(p->simulator));
    p->debug_group = group;
    return p->debug;
}

/* When gdb or the live copy was killed, the next question begins anew, behind the transition. */
static void notice_end_of_inside(struct protocol *p)
{
    if (p->inside.process < 0 || debug_inside(p->debug)->process == p->inside.process)
        return;
    p->inside.process = -1;
    p->seq++;
}

static int others_inside(const struct protocol *p, int process, struct err *err)
{
    if (p->inside.process < 0 || p->inside.process == process)
        return 0;
    return fail(err, "process %d is inside its code; let it go on to its next visible operation first", p->inside.process + 1);
}

static int need_gdb(struct err *err)
{
    return debug_possible() ? 0 : fail(err, "gdb is not installed; install it to look into processes");
}

/* ---- moving ---- */

int protocol_move(struct protocol *p, uint32_t position, json_t *reply, struct err *err)
{
    if (position > simulator_length(p->simulator))
        return simulator_move(p->simulator, position, err);
    protocol_leave(p);
    return protocol_moved(p, reply, simulator_move(p->simulator, position, err));
}

HANDLER(where)
{
    (void)q, (void)err;
    return protocol_moved(p, reply, 0);
}

HANDLER(reset) { (void)q; return protocol_move(p, 0, reply, err); }
HANDLER(end)   { (void)q; return protocol_move(p, simulator_length(p->simulator), reply, err); }

HANDLER(next)
{
    (void)q;
    if (simulator_position(p->simulator) == simulator_length(p->simulator))
        return fail(err, "the scenario ends here; let a process go to make it longer");
    return protocol_move(p, simulator_position(p->simulator) + 1, reply, err);
}

HANDLER(previous)
{
    (void)q;
    if (!simulator_position(p->simulator))
        return fail(err, "this is the beginning of the scenario");
    return protocol_move(p, simulator_position(p->simulator) - 1, reply, err);
}

HANDLER(move)
{
    uint32_t to;
    int rc = argument_need_number(q, "to", &to, err);
    return rc < 0 ? rc : protocol_move(p, to, reply, err);
}

/* ---- letting a process go ---- */

static int cannot_go(const struct protocol *p, int process, struct err *err)
{
    const struct run *run = simulator_run(p->simulator);
    struct trace past = simulator_past(p->simulator);
    struct prose why = { 0 };
    if (system_pending(run->system, process)->flags & NODE_END)
        return fail(err, "process %d has ended", process + 1);
    if (system_aborted(run->system))
        return fail(err, "VS_abort ends the scenario here");
    waiting_why(run, &past, process, -1, &why);
    int rc = fail(err, "%.*s", (int)why.length - 1, why.text);           /* without its full stop */
    prose_fini(&why);
    return rc;
}

static int several_results(struct protocol *p, int process, uint32_t count, json_t *reply, struct err *err)
{
    struct trace past = simulator_past(p->simulator);
    char *does = run_operation(simulator_run(p->simulator), &past, &system_pending(simulator_run(p->simulator)->system, process)->op);
    int rc = fail(err, "%s of process %d has %u results here; choose one, from 0 to %u", does, process + 1, count, count - 1);
    free(does);
    json_object_set_new(reply, "choices", view_choices(p->simulator, process));
    return rc;
}

static int get_choice(struct protocol *p, const json_t *q, int process, uint32_t *choice, json_t *reply, struct err *err)
{
    uint32_t count = simulator_choices(p->simulator, process);
    *choice = 0;
    int rc = argument_number(q, "choice", choice, err);
    if (rc < 0)
        return rc;
    if (!count)
        return cannot_go(p, process, err);
    if (!rc && count > 1)
        return several_results(p, process, count, reply, err);
    if (*choice >= count)
        return count == 1 ? fail(err, "process %d has no choice %u here: there is only one, 0", process + 1, *choice)
                          : fail(err, "process %d has no choice %u here; they go from 0 to %u", process + 1, *choice, count - 1);
    return 0;
}

HANDLER(go)
{
    int process;
    uint32_t choice;
    int rc = get_process(p, q, &process, err);
    if (rc < 0 || (rc = others_inside(p, process, err)) < 0)
        return rc;
    if (p->inside.process == process) {
        protocol_leave(p);
        return protocol_moved(p, reply, 0);
    }
    rc = get_choice(p, q, process, &choice, reply, err);
    return rc < 0 ? rc : protocol_moved(p, reply, simulator_go(p->simulator, process, choice, err));
}

HANDLER(rejoin)
{
    (void)q;
    protocol_leave(p);
    return protocol_moved(p, reply, simulator_rejoin(p->simulator, err));
}

static struct known_sources *sources(struct protocol *p)
{
    if (!p->sources)
        p->sources = sources_new(simulator_run(p->simulator), simulator_job(p->simulator));
    return p->sources;
}

static int need_program(const struct protocol *p, struct err *err)
{
    const struct job *job = simulator_job(p->simulator);
    return !job->starter ? 0 : fail(err, "%s is a suite, and VeriSoft does not look into its drivers and its box: there are no stacks, variables and "
                                    "lines to be seen", job->name);
}

/* Where gdb knows no lines it has no functions and no variables to show, and cannot stop at the next line. */
static int need_lines(struct protocol *p, const char *instead, struct err *err)
{
    int refused = need_program(p, err);
    if (refused)
        return refused;
    if (sources_lines(sources(p)))
        return 0;
    return fail(err, "%s was compiled without -g, so gdb knows nothing of its lines and variables; compile it again, with -g%s",
                simulator_job(p->simulator)->name, instead);
}

static int stride(struct protocol *p, int process, enum stride way, struct err *err)
{
    struct inside inside = { .process = -1 };
    int rc = debug_stride(debug(p), simulator_trace(p->simulator), simulator_position(p->simulator), process, way, &inside, err);
    if (rc < 0)
        return rc;
    if (inside.file)
        inside.file = (char *)sources_name(sources(p), inside.file);     /* nobody writes to it */
    p->inside = inside;
    p->seq++;
    return 0;
}

static int one_line(struct protocol *p, const json_t *q, enum stride way, json_t *reply, struct err *err)
{
    int process;
    uint32_t choice;
    int rc = get_process(p, q, &process, err);
    if (rc < 0 || (rc = need_gdb(err)) < 0 || (rc = others_inside(p, process, err)) < 0
        || (rc = need_lines(p, ". To execute the whole transition, let the process go", err)) < 0)
        return rc;
    if (p->inside.process == process)
        return protocol_moved(p, reply, stride(p, process, way, err));
    rc = get_choice(p, q, process, &choice, reply, err);
    if (rc < 0 || (rc = simulator_go(p->simulator, process, choice, err)) < 0)
        return rc;
    rc = stride(p, process, way, err);
    if (rc < 0)
        simulator_take_back(p->simulator);
    return protocol_moved(p, reply, rc);
}

HANDLER(step)      { return one_line(p, q, STRIDE_STEP, reply, err); }
HANDLER(next_line) { return one_line(p, q, STRIDE_NEXT, reply, err); }

/* ---- looking ---- */

HANDLER(trace)
{
    uint32_t from = 0, to = simulator_length(p->simulator), length = to;
    if (argument_number(q, "from", &from, err) < 0 || argument_number(q, "to", &to, err) < 0)
        return -EINVAL;
    if (from > length || to > length)
        return fail(err, "there is no transition %u: the scenario has %u", from > to ? from : to, length);
    if (from > to)
        return fail(err, "the trace goes forwards: \"from\", %u, is behind \"to\", %u", from, to);
    json_object_set_new(reply, "events", view_events(p->simulator, from, to));
    return 0;
}

HANDLER(objects)
{
    (void)q, (void)err;
    json_object_set_new(reply, "objects", view_objects(p->simulator));
    return 0;
}

static json_t *files(struct protocol *p)
{
    json_t *all = json_array();
    for (uint32_t i = 0; i < sources_count(sources(p)); i++)
        json_array_append_new(all, value_text(sources_file(sources(p), i)));
    return all;
}

HANDLER(source)
{
    const char *file;
    int rc = argument_text(q, "file", &file, err);
    if (!rc)
        return protocol_give(reply, "files", files(p));
    char *text = rc < 0 ? NULL : sources_text(sources(p), file, err);
    if (!text)
        return -EINVAL;
    json_object_set_new(reply, "file", value_text(file));
    json_object_set_new(reply, "text", value_text(text));
    free(text);
    return 0;
}

static int asked_of(struct protocol *p, const json_t *q, int *process, uint32_t *frame, struct err *err)
{
    int rc = get_process(p, q, process, err);
    if (rc < 0 || (rc = need_gdb(err)) < 0)
        return rc;
    *frame = 0;
    return argument_number(q, "frame", frame, err);
}

/* One name for one file, though gdb has another. */
static void rename_files(struct protocol *p, json_t *frames)
{
    size_t i;
    json_t *frame;
    json_array_foreach(frames, i, frame) {
        const char *path = json_string_value(json_object_get(frame, "path"));
        const char *file = json_string_value(json_object_get(frame, "file"));
        const char *name = path ? sources_name(sources(p), path) : file;
        if (file && name != path)
            json_object_set_new(frame, "file", value_text(sources_name(sources(p), name)));
    }
}

HANDLER(stack)
{
    int process;
    uint32_t frame;
    bool cut;
    int rc = asked_of(p, q, &process, &frame, err);
    if (rc < 0 || (rc = need_lines(p, "", err)) < 0)
        return rc;
    json_t *frames = debug_stack(debug(p), simulator_trace(p->simulator), simulator_position(p->simulator), process, &cut, err);
    if (!frames)
        return -EINVAL;
    rename_files(p, frames);
    json_object_set_new(reply, "cut", json_boolean(cut));
    return protocol_give(reply, "frames", frames);
}

HANDLER(locals)
{
    int process;
    uint32_t frame;
    int rc = asked_of(p, q, &process, &frame, err);
    if (rc >= 0)
        rc = need_lines(p, "", err);
    return rc < 0 ? rc : protocol_give(reply, "variables", debug_locals(debug(p), simulator_trace(p->simulator),
                                                               simulator_position(p->simulator), process, (int)frame, err));
}

HANDLER(print)
{
    int process;
    uint32_t frame;
    const char *expression;
    int rc = need_program(p, err);
    if (rc < 0 || (rc = asked_of(p, q, &process, &frame, err)) < 0 || (rc = argument_need_text(q, "expression", &expression, err)) < 0)
        return rc;
    json_t *value = debug_print(debug(p), simulator_trace(p->simulator), simulator_position(p->simulator), process, (int)frame,
                                expression, err);
    bool unknown = !value && (strstr(err->text, "unknown type") || strstr(err->text, "No symbol"));
    if (unknown && !sources_lines(sources(p))) {         /* a cast makes a variable known: (int)total */
        struct err said = *err;
        return fail(err, "%s. The program was compiled without -g; compile it again, with -g", said.text);
    }
    return protocol_give(reply, NULL, value);
}

/* ---- the table ---- */

static const struct request {
    const char *name, *arguments, *help;
    int       (*run)(struct protocol *, const json_t *, json_t *reply, struct err *);
} requests[] = {
#define X(name, arguments, help) { #name, arguments, help, request_##name },
    REQUESTS(X)
#undef X
};

enum { REQUEST_COUNT = sizeof requests / sizeof *requests };

/* The lines that are shown would be those of another text. */
static void warn_stale(struct protocol *p, json_t *reply)
{
    const struct job *job = simulator_job(p->simulator);
    const char *file = sources_newer(sources(p), job->native.executable);
    if (!file || json_object_get(reply, "warning"))
        return;
    char *words = prose_make("%s was changed after %s was compiled: the lines that are shown may be others than those that run; "
                             "compile it again", file, job->name);
    json_object_set_new(reply, "warning", value_text(words));
    free(words);
}

HANDLER(hello)
{
    const struct job *job = simulator_job(p->simulator);
    json_t *commands = json_array();
    (void)q, (void)err;
    for (int i = 0; i < REQUEST_COUNT; i++)
        json_array_append_new(commands, json_pack("{s:s, s:s, s:s}", "name", requests[i].name, "arguments", requests[i].arguments,
                                                  "help", requests[i].help));
    char *space = outcome_file(job, SPACE_FILE);
    json_t *all = json_pack("{s:i, s:s, s:o, s:b, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o}", "protocol", PROTOCOL_VERSION,
                            "version", VERSION, "program", value_text(job->name), "suite", job->starter != NULL,
                            "mode", simulator_name(p->simulator) ? "guided" : "manual",
                            "scenario", value_text(simulator_name(p->simulator)),
                            "error", value_text(simulator_error(p->simulator)), "output", value_text(job->output),
                            "files", files(p), "gdb", (int)debug_possible(),
                            "space", (int)!access(space, R_OK), "commands", commands, "where", where(p));
    free(space);
    protocol_warn(p, simulator_name(p->simulator), simulator_program(p->simulator), reply);
    warn_stale(p, reply);
    return protocol_give(reply, NULL, all);
}

static int dispatch(struct protocol *p, const json_t *q, json_t *reply, struct err *err)
{
    const char *name;
    if (!json_is_object(q))
        return fail(err, "a request is a JSON object, for instance {\"do\": \"where\"}");
    int rc = argument_need_text(q, "do", &name, err);
    if (rc < 0)
        return rc;
    for (int i = 0; i < REQUEST_COUNT; i++)
        if (!strcmp(requests[i].name, name))
            return requests[i].run(p, q, reply, err);
    return fail(err, "there is no request \"%s\"; \"hello\" lists them", name);
}

json_t *protocol_handle(struct protocol *p, const json_t *q)
{
    struct err err = { .text = "" };
    json_t *reply = json_object(), *id = json_object_get(q, "id");
    if (id)
        json_object_set(reply, "id", id);
    int rc = dispatch(p, q, reply, &err);
    notice_end_of_inside(p);
    json_object_set_new(reply, "ok", json_boolean(rc >= 0));
    if (rc < 0)
        json_object_set_new(reply, "error", value_text(rc == -EINTR ? "interrupted" : err.text));
    return reply;
}

int protocol_new(struct protocol **out, const struct job *job, const char *scenario, struct err *err)
{
    struct simulator *simulator;
    int rc = simulator_new(&simulator, job, scenario, err);
    if (rc < 0)
        return rc;
    *out = memory_get(sizeof **out);
    (*out)->simulator = simulator;
    (*out)->inside.process = -1;
    return 0;
}

void protocol_free(struct protocol *p)
{
    if (!p)
        return;
    debug_free(p->debug);
    sources_free(p->sources);
    if (p->has_space)
        space_fini(&p->space);
    simulator_free(p->simulator);
    free(p);
}

uint64_t protocol_seq(const struct protocol *p) { return simulator_seq(p->simulator) + p->seq; }
bool     protocol_over(const struct protocol *p) { return p->over; }
