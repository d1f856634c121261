/* Requests about files of the output folder: scenarios, and charts of them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "simulator/protocol_internal.h"

#include "base/file.h"
#include "report/outcome.h"
#include "base/prose.h"
#include "report/value.h"
#include "simulator/drawing.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* ---- the scenario ---- */

static int read_path(const struct protocol *p, const json_t *q, struct path *path, const char **name, struct err *err)
{
    const char *file, *text;
    if (argument_text(q, "file", &file, err) < 0 || argument_text(q, "text", &text, err) < 0 || argument_text(q, "name", name, err) < 0)
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
    return protocol_give(reply, "files", files);
}

HANDLER(load)
{
    struct path path;
    const char *name;
    path_init(&path);
    int rc = read_path(p, q, &path, &name, err);
    if (rc >= 0) {
        protocol_leave(p);
        protocol_warn(p, name, path.program, reply);
        rc = simulator_load(p->simulator, &path, name, err);
    }
    path_fini(&path);
    return protocol_moved(p, reply, rc);
}

/* What is there is written over only when that is asked for. */
static int check_replace(const char *file, const json_t *q, json_t *reply, struct err *err)
{
    bool replace = false;
    struct stat status;
    int rc = argument_flag(q, "replace", &replace, err);
    if (rc < 0 || replace || lstat(file, &status))
        return rc;
    json_object_set_new(reply, "exists", json_true());
    return fail(err, "%s: there is such a file already", file);
}

HANDLER(save)
{
    const char *name;
    struct path path;
    int rc = argument_need_text(q, "file", &name, err);
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

struct chart_text { const char *bytes; size_t length; };

static int write_chart(const void *self, FILE *out)
{
    const struct chart_text *text = self;
    return fwrite(text->bytes, 1, text->length, out) == text->length ? 0 : -errno;
}

static int give_chart(const char *file, const char *bytes, size_t length, json_t *reply, struct err *err)
{
    struct chart_text text = { bytes, length };
    int rc = file ? file_write(file, "the chart", write_chart, &text, err) : 0;
    if (rc >= 0)
        json_object_set_new(reply, file ? "file" : "text", value_text(file ? file : bytes));
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
    if (argument_need_text(q, "format", &format, err) < 0 || argument_text(q, "title", &title, err) < 0 || argument_text(q, "file", &name, err) < 0
        || argument_flag(q, "color", &color, err) < 0)
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
