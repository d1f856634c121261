/* SPDX-License-Identifier: MIT */
#include "cli/evidence.h"

#include "base/file.h"
#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add_file(struct fields *f, const char *name, const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char bytes[1 << 16];
    struct sha256 digest;
    FILE *in = file_open(path, "the program", err);
    if (!in)
        return err_code(err);
    sha256_init(&digest);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, in)) > 0;)
        sha256_add(&digest, bytes, got);
    int bad = ferror(in) ? fail_errno(err, "%s: cannot be read", path) : 0;
    fclose(in);
    fields_add(f, name, "%s %s", sha256_end(&digest).text, slash ? slash + 1 : path);
    return bad;
}

static void add_input(struct fields *f, int input)
{
    char bytes[1 << 16];
    struct sha256 digest;
    off_t at = 0;
    sha256_init(&digest);
    for (ssize_t got; (got = pread(input, bytes, sizeof bytes, at)) > 0; at += got)
        sha256_add(&digest, bytes, (size_t)got);
    fields_add(f, "stdin", "%s", sha256_end(&digest).text);
}

int evidence(const struct plan *p, struct fields *f, struct err *err)
{
    const struct settings *s = &p->request.settings;
    const struct words *files = &p->request.program, *objects = &s->values[OPTION_object].list, *env = &s->values[OPTION_env].list;
    char *compiler = words_command(&p->request.compiler);
    int bad = 0;
    for (uint32_t i = 0; i < files->count && !bad; i++)
        bad = add_file(f, "file", files->items[i], err);
    for (uint32_t i = 0; i < objects->count && !bad; i++)
        bad = add_file(f, "object", objects->items[i], err);
    fields_add(f, "compiler-options", "%s", compiler);
    fields_add(f, "arguments", "%s", p->arguments);
    for (uint32_t i = 0; i < env->count; i++)
        fields_add(f, "env", "%s", env->items[i]);
    if (p->input >= 0)
        add_input(f, p->input);
    fields_add(f, "spurious-wakeups", "%d", (int)s->values[OPTION_spurious_wakeups].number);
    if (s->values[OPTION_timers].number != TIMER_ORDER_TIME)
        fields_add(f, "timers", "%s", s->values[OPTION_timers].number == TIMER_ORDER_ANY ? "any" : "late");
    if (s->values[OPTION_overruns].number)
        fields_add(f, "overruns", "%d", (int)s->values[OPTION_overruns].number);
    if (s->values[OPTION_rounds].number != USUAL_ROUNDS)
        fields_add(f, "rounds", "%d", (int)s->values[OPTION_rounds].number);
    free(compiler);
    return bad;
}
