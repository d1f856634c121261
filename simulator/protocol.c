/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/protocol.h"

#include "base/memory.h"
#include "base/version.h"
#include "report/outcome.h"
#include "report/prose.h"
#include "report/value.h"
#include "report/waiting.h"
#include "simulator/debug.h"
#include "simulator/drawing.h"
#include "simulator/simulator.h"
#include "simulator/sources.h"
#include "simulator/space.h"
#include "simulator/view.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROTOCOL_VERSION = 1 };
static const char SPACE_FILE[] = "sss.VS";

struct protocol {
    struct simulator *simulator;
    struct debug     *debug;         /* NULL until something is asked of it */
    bool              debug_group;   /* it is of a job that is a group */
    struct inside     inside;
    struct sources   *sources;       /* NULL until they are asked for */
    struct space      space;
    bool              has_space;     /* it was read */
    uint64_t          seq;           /* changes beside those of the simulator */
    bool              over;
};

/* What a request does with its arguments; what it answers it puts into the reply, also when it fails. */
#define HANDLER(name) static int do_##name(struct protocol *p, const json_t *q, json_t *reply, struct err *err)

static json_t *where(struct protocol *p) { return view_where(p->simulator, &p->inside, protocol_seq(p)); }

static int moved(struct protocol *p, json_t *reply, int rc)
{
    if (rc >= 0)
        json_object_set_new(reply, "where", where(p));
    return rc;
}

static int give(json_t *reply, const char *key, json_t *value)
{
    if (!value)
        return -EINVAL;
    if (key)
        return json_object_set_new(reply, key, value);
    json_object_update(reply, value);
    json_decref(value);
    return 0;
}

/* ---- arguments ---- */

/* 0: it is not there, and stays as it is; 1: it is. */
static int get_number(const json_t *q, const char *key, uint32_t *number, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    if (!value || json_is_null(value))
        return 0;
    json_int_t given = json_integer_value(value);
    if (!json_is_integer(value) || given < 0 || given > UINT32_MAX)
        return fail(err, "\"%s\" must be a whole number from 0 to %u", key, UINT32_MAX);
    *number = (uint32_t)given;
    return 1;
}

static int get_text(const json_t *q, const char *key, const char **text, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    *text = NULL;
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
        return fail(err, "\"%s\" must be a text", key);
    *text = json_string_value(value);
    return 1;
}

static int get_flag(const json_t *q, const char *key, bool *flag, struct err *err)
{
    const json_t *value = json_object_get(q, key);
    if (value && !json_is_boolean(value) && !json_is_null(value))
        return fail(err, "\"%s\" must be true or false", key);
    if (json_is_boolean(value))
        *flag = json_is_true(value);
    return 0;
}

static int missing(const char *key, struct err *err) { return fail(err, "\"%s\" is missing", key); }

static int need_number(const json_t *q, const char *key, uint32_t *number, struct err *err)
{
    int rc = get_number(q, key, number, err);
    return rc ? rc : missing(key, err);
}

static int need_text(const json_t *q, const char *key, const char **text, struct err *err)
{
    int rc = get_text(q, key, text, err);
    return rc ? rc : missing(key, err);
}

static int get_process(const struct protocol *p, const json_t *q, int *process, struct err *err)
{
    uint32_t number, count = (uint32_t)simulator_run(p->simulator)->system->processes;
    int rc = need_number(q, "process", &number, err);
    if (rc < 0)
        return rc;
    if (number < 1 || number > count)
        return fail(err, "there is no process %u; the program has %u", number, count);
    *process = (int)number - 1;
    return 0;
}

/* The name of a file in the output folder, or a message. */
static int check_name(const char *name, const char *ending, struct err *err)
{
    size_t length = strlen(name), tail = strlen(ending);
    if (strchr(name, '/') || name[0] == '.')
        return fail(err, "%s: name a file of the output folder, without any / and not hidden", name);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return fail(err, "the name of the file has a control character in it");
    if (length <= tail || strcmp(name + length - tail, ending))
        return fail(err, "%s: the name of such a file ends in %s", name, ending);
    return 0;
}

/* ---- inside ---- */

/* Whatever comes of it (gdb may be dead): the transition stands in the trace, and the process is behind it. */
static void leave(struct protocol *p)
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

static int move(struct protocol *p, uint32_t position, json_t *reply, struct err *err)
{
    if (position > simulator_length(p->simulator))
        return simulator_move(p->simulator, position, err);
    leave(p);
    return moved(p, reply, simulator_move(p->simulator, position, err));
}

HANDLER(where)
{
    (void)q, (void)err;
    return moved(p, reply, 0);
}

HANDLER(reset) { (void)q; return move(p, 0, reply, err); }
HANDLER(end)   { (void)q; return move(p, simulator_length(p->simulator), reply, err); }

HANDLER(next)
{
    (void)q;
    if (simulator_position(p->simulator) == simulator_length(p->simulator))
        return fail(err, "the scenario ends here; let a process go to make it longer");
    return move(p, simulator_position(p->simulator) + 1, reply, err);
}

HANDLER(previous)
{
    (void)q;
    if (!simulator_position(p->simulator))
        return fail(err, "this is the beginning of the scenario");
    return move(p, simulator_position(p->simulator) - 1, reply, err);
}

HANDLER(move)
{
    uint32_t to;
    int rc = need_number(q, "to", &to, err);
    return rc < 0 ? rc : move(p, to, reply, err);
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
    char *does = run_operation(simulator_run(p->simulator), &system_pending(simulator_run(p->simulator)->system, process)->op);
    int rc = fail(err, "%s of process %d has %u results here; choose one, from 0 to %u", does, process + 1, count, count - 1);
    free(does);
    json_object_set_new(reply, "choices", view_choices(p->simulator, process));
    return rc;
}

static int get_choice(struct protocol *p, const json_t *q, int process, uint32_t *choice, json_t *reply, struct err *err)
{
    uint32_t count = simulator_choices(p->simulator, process);
    *choice = 0;
    int rc = get_number(q, "choice", choice, err);
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
        leave(p);
        return moved(p, reply, 0);
    }
    rc = get_choice(p, q, process, &choice, reply, err);
    return rc < 0 ? rc : moved(p, reply, simulator_go(p->simulator, process, choice, err));
}

static struct sources *sources(struct protocol *p)
{
    if (!p->sources)
        p->sources = sources_new(simulator_run(p->simulator), simulator_job(p->simulator));
    return p->sources;
}

/* Where gdb knows no lines it has no functions and no variables to show, and cannot stop at the next line. */
static int need_lines(struct protocol *p, const char *instead, struct err *err)
{
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
        return moved(p, reply, stride(p, process, way, err));
    rc = get_choice(p, q, process, &choice, reply, err);
    if (rc < 0 || (rc = simulator_go(p->simulator, process, choice, err)) < 0)
        return rc;
    rc = stride(p, process, way, err);
    if (rc < 0)
        simulator_take_back(p->simulator);
    return moved(p, reply, rc);
}

HANDLER(step)      { return one_line(p, q, STRIDE_STEP, reply, err); }
HANDLER(next_line) { return one_line(p, q, STRIDE_NEXT, reply, err); }

/* ---- the scenario ---- */

HANDLER(trace)
{
    uint32_t from = 0, to = simulator_length(p->simulator), length = to;
    if (get_number(q, "from", &from, err) < 0 || get_number(q, "to", &to, err) < 0)
        return -EINVAL;
    if (from > length || to > length)
        return fail(err, "there is no transition %u: the scenario has %u", from > to ? from : to, length);
    if (from > to)
        return fail(err, "the trace goes forwards: \"from\", %u, is behind \"to\", %u", from, to);
    json_object_set_new(reply, "events", view_events(p->simulator, from, to));
    return 0;
}

static int read_path(const struct protocol *p, const json_t *q, struct path *path, const char **name, struct err *err)
{
    const char *file, *text;
    if (get_text(q, "file", &file, err) < 0 || get_text(q, "text", &text, err) < 0 || get_text(q, "name", name, err) < 0)
        return -EINVAL;
    if (!file && !text)
        return fail(err, "which scenario? \"file\" is missing");
    if (text) {
        *name = *name ? *name : "scenario.path";
        return path_parse(path, text, strlen(text), *name, err);
    }
    *name = file;
    int rc = check_name(file, ".path", err);
    if (rc < 0)
        return rc;
    char *found = outcome_file(simulator_job(p->simulator), file);
    rc = path_read(path, found, err);
    free(found);
    return rc;
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

static void warn(const struct protocol *p, const char *what, const char *program, json_t *reply)
{
    const char *name = simulator_job(p->simulator)->name;
    if (!program || same_program(program, name))
        return;
    char *words = prose_make("%s was saved for another program, %s, and this one is %s; it may not fit", what, program, name);
    json_object_set_new(reply, "warning", value_text(words));
    free(words);
}

static int is_scenario(const struct dirent *entry)
{
    struct err err;
    return check_name(entry->d_name, ".path", &err) >= 0;
}

HANDLER(scenarios)
{
    const char *folder = simulator_job(p->simulator)->output;
    struct dirent **found;
    json_t *files = json_array();
    (void)q;
    int count = scandir(folder, &found, is_scenario, versionsort);
    if (count < 0) {
        json_decref(files);
        return fail_errno(err, "%s: the output folder cannot be read", folder);
    }
    for (int i = 0; i < count; i++) {
        json_array_append_new(files, value_text(found[i]->d_name));
        free(found[i]);
    }
    free(found);
    return give(reply, "files", files);
}

HANDLER(load)
{
    struct path path;
    const char *name;
    path_init(&path);
    int rc = read_path(p, q, &path, &name, err);
    if (rc >= 0) {
        leave(p);
        warn(p, name, path.program, reply);
        rc = simulator_load(p->simulator, &path, name, err);
    }
    path_fini(&path);
    return moved(p, reply, rc);
}

/* What is there is written over only when that is asked for. */
static int check_replace(const char *file, const json_t *q, json_t *reply, struct err *err)
{
    bool replace = false;
    struct stat status;
    int rc = get_flag(q, "replace", &replace, err);
    if (rc < 0 || replace || lstat(file, &status))
        return rc;
    json_object_set_new(reply, "exists", json_true());
    return fail(err, "%s: there is such a file already", file);
}

HANDLER(save)
{
    const char *name;
    struct path path;
    int rc = need_text(q, "file", &name, err);
    if (rc < 0 || (rc = check_name(name, ".path", err)) < 0)
        return rc;
    char *file = outcome_file(simulator_job(p->simulator), name);
    rc = check_replace(file, q, reply, err);
    if (rc >= 0) {
        simulator_path(p->simulator, &path);
        rc = path_save(&path, file, err);
        path_fini(&path);
    }
    if (rc >= 0)
        json_object_set_new(reply, "file", value_text(file));
    free(file);
    return rc;
}

HANDLER(scenario)
{
    struct path path;
    char *text = NULL;
    size_t length;
    (void)q;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return fail_errno(err, "no memory for the scenario");
    simulator_path(p->simulator, &path);
    path_write(&path, out);
    fclose(out);
    json_object_set_new(reply, "text", value_text(text));
    path_fini(&path);
    free(text);
    return 0;
}

/* ---- the chart ---- */

/* Whole or not at all. */
static int write_file(const char *file, const char *text, size_t length, struct err *err)
{
    char *temporary = prose_make("%s.tmp%ld", file, (long)getpid());
    FILE *out = fopen(temporary, "w");
    bool bad = !out || fwrite(text, 1, length, out) != length;
    if (out && fclose(out))
        bad = true;
    bad = bad || rename(temporary, file);
    int rc = bad ? fail_errno(err, "%s: the chart cannot be written", file) : 0;
    if (bad && out)
        unlink(temporary);
    free(temporary);
    return rc;
}

static int give_chart(const char *file, const char *text, size_t length, json_t *reply, struct err *err)
{
    int rc = file ? write_file(file, text, length, err) : 0;
    if (rc >= 0)
        json_object_set_new(reply, file ? "file" : "text", value_text(file ? file : text));
    return rc;
}

static int draw(struct protocol *p, enum drawing format, const char *title, bool color, const char *file, json_t *reply,
                struct err *err)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return fail_errno(err, "no memory for the chart");
    drawing_write(p->simulator, format, title, color, out);
    fclose(out);
    int rc = give_chart(file, text, length, reply, err);
    free(text);
    return rc;
}

HANDLER(chart)
{
    const char *format, *title, *name;
    bool color = true;
    if (need_text(q, "format", &format, err) < 0 || get_text(q, "title", &title, err) < 0 || get_text(q, "file", &name, err) < 0
        || get_flag(q, "color", &color, err) < 0)
        return -EINVAL;
    bool svg = !strcmp(format, "svg");
    if (!svg && strcmp(format, "ps"))
        return fail(err, "%s: there is no such format; it is svg or ps", format);
    int rc = name ? check_name(name, svg ? ".svg" : ".ps", err) : 0;
    if (rc < 0)
        return rc;
    char *file = name ? outcome_file(simulator_job(p->simulator), name) : NULL;
    rc = file ? check_replace(file, q, reply, err) : 0;
    if (rc >= 0)
        rc = draw(p, svg ? DRAWING_SVG : DRAWING_PS, title, color, file, reply, err);
    free(file);
    return rc;
}

/* ---- looking ---- */

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
    int rc = get_text(q, "file", &file, err);
    if (!rc)
        return give(reply, "files", files(p));
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
    return get_number(q, "frame", frame, err);
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
    return give(reply, "frames", frames);
}

HANDLER(locals)
{
    int process;
    uint32_t frame;
    int rc = asked_of(p, q, &process, &frame, err);
    if (rc >= 0)
        rc = need_lines(p, "", err);
    return rc < 0 ? rc : give(reply, "variables", debug_locals(debug(p), simulator_trace(p->simulator),
                                                               simulator_position(p->simulator), process, (int)frame, err));
}

HANDLER(print)
{
    int process;
    uint32_t frame;
    const char *expression;
    int rc = asked_of(p, q, &process, &frame, err);
    if (rc < 0 || (rc = need_text(q, "expression", &expression, err)) < 0)
        return rc;
    json_t *value = debug_print(debug(p), simulator_trace(p->simulator), simulator_position(p->simulator), process, (int)frame,
                                expression, err);
    bool unknown = !value && (strstr(err->text, "unknown type") || strstr(err->text, "No symbol"));
    if (unknown && !sources_lines(sources(p))) {         /* a cast makes a variable known: (int)total */
        struct err said = *err;
        return fail(err, "%s. The program was compiled without -g; compile it again, with -g", said.text);
    }
    return give(reply, NULL, value);
}

/* ---- the state space ---- */

static int read_space(struct protocol *p, struct err *err)
{
    struct space fresh;
    char *file = outcome_file(simulator_job(p->simulator), SPACE_FILE);
    int rc = 0;
    if (access(file, F_OK))
        rc = fail(err, "there is no %s; a search with --save-state-space writes one", file);
    else
        rc = space_read(&fresh, file, err);
    free(file);
    if (rc < 0)
        return rc;
    if (p->has_space)
        space_fini(&p->space);
    p->space = fresh;
    p->has_space = true;
    return 0;
}

HANDLER(space)
{
    (void)q;
    int rc = read_space(p, err);
    if (rc < 0)
        return rc;
    warn(p, SPACE_FILE, p->space.program, reply);
    return give(reply, NULL, view_space(&p->space));
}

static int need_space(struct protocol *p, struct err *err) { return p->has_space ? 0 : read_space(p, err); }

HANDLER(match)
{
    const char *pattern;
    int rc = need_text(q, "pattern", &pattern, err);
    if (rc < 0 || (rc = need_space(p, err)) < 0)
        return rc;
    bool *matching = memory_get((p->space.label_count + 1) * sizeof *matching);
    rc = space_match(&p->space, pattern, matching, err);
    json_t *labels = json_array();
    for (uint32_t i = 0; rc >= 0 && i < p->space.label_count; i++)
        if (matching[i])
            json_array_append_new(labels, json_integer(i));
    free(matching);
    json_object_set_new(reply, "labels", labels);
    return rc;
}

/* The way to a state as a scenario. */
static int way_to(const struct space *space, uint32_t state, struct path *path, struct err *err)
{
    uint32_t count, *way = space_way(space, state, &count, err);
    if (!way)
        return -EINVAL;
    struct prose text = { 0 };
    prose_add(&text, "verisoft-path 1\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct space_transition *t = &space->transitions[way[i]];
        prose_add(&text, "%u  %s\n", t->process, space->labels[t->label]);
    }
    int rc = path_parse(path, text.text, text.length, SPACE_FILE, err);
    prose_fini(&text);
    free(way);
    return rc;
}

/* The position at which the scenario comes through that state; -1: it does not. */
static int64_t passes(const struct protocol *p, uint32_t state)
{
    const struct trace *trace = simulator_trace(p->simulator);
    struct space_step *steps = memory_get((trace->count + 1) * sizeof *steps);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct event *e = &trace->events[i];
        steps[i].process = (uint32_t)e->op.process + 1;
        steps[i].label = run_transition(simulator_run(p->simulator), &e->op, e->result);
    }
    int64_t position = space_position(&p->space, steps, trace->count, state);
    for (uint32_t i = 0; i < trace->count; i++)
        free(steps[i].label);
    free(steps);
    return position;
}

static int load_way(struct protocol *p, uint32_t state, struct err *err)
{
    struct path path;
    path_init(&path);
    int rc = way_to(&p->space, state, &path, err);
    if (rc >= 0) {
        leave(p);
        rc = simulator_load(p->simulator, &path, SPACE_FILE, err);
    }
    if (rc >= 0)
        simulator_forget_file(p->simulator);
    path_fini(&path);
    return rc;
}

HANDLER(visit)
{
    uint32_t state;
    int rc = need_number(q, "state", &state, err);
    if (rc < 0 || (rc = need_space(p, err)) < 0)
        return rc;
    if (state >= p->space.states)
        return fail(err, "there is no state %u; the state space has states 0 to %u", state, p->space.states - 1);
    int64_t position = passes(p, state);
    if (position >= 0)
        return move(p, (uint32_t)position, reply, err);
    rc = load_way(p, state, err);
    return rc < 0 ? rc : move(p, simulator_length(p->simulator), reply, err);
}

HANDLER(quit)
{
    (void)q, (void)reply, (void)err;
    p->over = true;
    return 0;
}

/* ---- the table ---- */

HANDLER(hello);

static const struct request {
    const char *name, *arguments, *help;
    int       (*run)(struct protocol *, const json_t *, json_t *reply, struct err *);
} requests[] = {
#define X(name, arguments, help) { #name, arguments, help, do_##name },
    REQUESTS(X)
#undef X
};

enum { REQUEST_COUNT = sizeof requests / sizeof *requests };

HANDLER(hello)
{
    const struct job *job = simulator_job(p->simulator);
    json_t *commands = json_array();
    (void)q, (void)err;
    for (int i = 0; i < REQUEST_COUNT; i++)
        json_array_append_new(commands, json_pack("{s:s, s:s, s:s}", "name", requests[i].name, "arguments", requests[i].arguments,
                                                  "help", requests[i].help));
    char *space = outcome_file(job, SPACE_FILE);
    json_t *all = json_pack("{s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o}", "protocol", PROTOCOL_VERSION,
                            "version", VERSION, "program", value_text(job->name),
                            "mode", simulator_name(p->simulator) ? "guided" : "manual",
                            "scenario", value_text(simulator_name(p->simulator)),
                            "error", value_text(simulator_error(p->simulator)), "output", value_text(job->output),
                            "files", files(p), "gdb", (int)debug_possible(),
                            "space", (int)!access(space, R_OK), "commands", commands, "where", where(p));
    free(space);
    warn(p, simulator_name(p->simulator), simulator_program(p->simulator), reply);
    return give(reply, NULL, all);
}

static int dispatch(struct protocol *p, const json_t *q, json_t *reply, struct err *err)
{
    const char *name;
    if (!json_is_object(q))
        return fail(err, "a request is a JSON object, for instance {\"do\": \"where\"}");
    int rc = need_text(q, "do", &name, err);
    if (rc < 0)
        return rc;
    for (int i = 0; i < REQUEST_COUNT; i++)
        if (!strcmp(requests[i].name, name))
            return requests[i].run(p, q, reply, err);
    return fail(err, "there is no request \"%s\"; \"hello\" lists them", name);
}

json_t *protocol_handle(struct protocol *p, const json_t *q)
{
    struct err err = { "" };
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
