/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "extractor/spin.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT(x)  #x
#define VALUE(x) TEXT(x)

/* What properties turn on and off without compiling again: read when the verifier starts. */
static const char settings[] =
    "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "int vs_ignore, vs_on[" VALUE(MOST_FEATURES) "], vs_off[" VALUE(MOST_FEATURES) "];\n"
    "static int unspecified, noting;\n"
    "static struct unmet { int line, state, event; } *noted;\n"
    "static size_t count;\n"
    /* An event without a case: it is a violation, or it is noted once and the search goes on. */
    "int vs_unmet(int line, int state, int event)\n{\n"
    "    if (!noting)\n        return unspecified;\n"
    "    for (size_t i = 0; i < count; i++)\n"
    "        if (noted[i].line == line && noted[i].state == state && noted[i].event == event)\n            return 0;\n"
    "    printf(\"vs-unmet %d %d %d\\n\", line, state, event);\n"
    "    if (!(count & (count - 1)) && !(noted = realloc(noted, (count ? 2 * count : 1) * sizeof *noted)))\n        abort();\n"
    "    noted[count++] = (struct unmet){ line, state, event };\n"
    "    return 0;\n}\n"
    "static void out_of_time(int number) { (void)number; raise(SIGINT); }\n"           /* then it says what it has found */
    "__attribute__((constructor)) static void read_settings(void)\n{\n"
    "    signal(SIGXCPU, out_of_time);\n"
    "    const char *features = getenv(\"VS_FEATURES\");\n"
    "    size_t count = features ? strlen(features) : 0;\n"
    "    vs_ignore = unspecified = getenv(\"VS_UNSPECIFIED\") != 0;\n"
    "    noting = unspecified && !strcmp(getenv(\"VS_UNSPECIFIED\"), \"note\");\n"
    "    for (size_t i = 0; i < " VALUE(MOST_FEATURES) "; i++) {\n"
    "        vs_on[i] = i >= count || features[i] != '-';\n"
    "        vs_off[i] = i >= count || features[i] != '+';\n"
    "    }\n}\n";

static const char teller[] = "#include \"pan.c\"\n#define VERISOFT_LIVE\n#include <verisoft-live.h>\n";

static const char *compiler(void)
{
    const char *set = getenv("CC");
    return set && *set && !strchr(set, ' ') ? set : tool_exists("gcc") ? "gcc" : "cc";
}

/* ---- Spin ---- */

/* A tool that cannot write cannot say so. NULL: there is enough; gives. */
static char *little_space(const char *folder)
{
    enum { LITTLE = 16 << 20 };      /* bytes: more than a verifier has */
    struct statvfs disk;
    if (statvfs(folder, &disk) || (double)disk.f_bavail * (double)disk.f_frsize >= LITTLE)
        return NULL;
    return prose_make("; %.0f KB are left in %s: TMPDIR names another place", (double)disk.f_bavail * (double)disk.f_frsize / 1024, folder);
}

/* The lines of a tool that tell what is wrong. */
static int tell(const struct workshop *w, const char *log, const char *what, struct err *err)
{
    char *said = tool_output(w, log, err);
    char *line = said ? strstr(said, "rror") : NULL;
    while (line && line > said && line[-1] != '\n')
        line--;
    char *left = said && *said ? NULL : little_space(w->folder);
    int code = fail(err, "%s: %.*s%s", what, line ? (int)strcspn(line, "\n") : 200, line ? line : said && *said ? said : "it says nothing", left ? left : "");
    free(said);
    free(left);
    return code;
}

/* How many bytes the program's data has stands in the compiled file, in letters (verisoft-model.h): Spin's states must have room for it. */
static long size_of_data(const struct spin *s, struct err *err)
{
    static const char mark[] = "vs-size=";
    char *path = prose_make("%s/program.o", s->shop->folder), part[1 << 16];
    FILE *file = fopen(path, "rb");
    long size = 0;
    size_t kept = 0;                 /* of what was read before, so that the mark is found where two parts meet */
    enum { MOST = 32 };              /* letters of mark and number */
    for (size_t got; file && !size && (got = fread(part + kept, 1, sizeof part - kept, file)) > 0;) {
        got += kept;
        const char *at = memmem(part, got, mark, strlen(mark));
        if (at && at + MOST <= part + got)
            size = strtol(at + strlen(mark), NULL, 10);
        kept = got < MOST ? got : MOST;
        memmove(part, part + got - kept, kept);
    }
    if (file)
        fclose(file);
    if (!size)
        fail(err, "%s: the size of the program's data is not in it", path);
    free(path);
    return size;
}

/* The C of a program's model, compiled once. */
static int build_program(struct spin *s, struct err *err)
{
    struct tool_ended ended;
    int n = 0, bad = tool_write(s->shop, "program.c", s->c, err);
    char **command = memory_get(((size_t)s->option_count + 16) * sizeof *command), *include = prose_make("-I%s", s->shop->include);
    char *first[] = { (char *)compiler(), (char *)"-w", (char *)"-O1", (char *)"-fno-pie", (char *)"-fno-strict-aliasing",
                      (char *)"-fwrapv", (char *)"-D_GNU_SOURCE", include, (char *)"-c", (char *)"program.c" };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        command[n++] = first[i];
    for (int i = 0; i < s->option_count; i++)
        if (!strncmp(s->options[i], "-I/", 3) || !strncmp(s->options[i], "-D", 2))
            command[n++] = s->options[i];
    if (!bad)
        bad = tool_write(s->shop, "model.h", s->header, err);
    if (!bad)
        bad = tool_run(s->shop, command, "compiler.log", NULL, 0, &ended, err);
    if (!bad && ended.status)
        bad = tell(s->shop, "compiler.log", "the compiler refuses the C of the model", err);
    if (!bad)
        s->size = size_of_data(s, err);
    free(include);
    free(command);
    return bad ? bad : s->size ? 0 : -EINVAL;
}

/* Spin marks most statements as reached before it begins, so that its list of what is unreached is short; so a state of a claim that is entered only under a
 * condition that never holds would be told as reached. All begin as not reached: uchar reached7 [] = { 0, 1, ... }. */
static int unmark(const struct spin *s, struct err *err)
{
    char *text = tool_output(s->shop, "pan.c", err);
    if (!text)
        return -EINVAL;
    for (char *at = text; (at = strstr(at, "uchar reached"));) {
        char *end = strchr(at, ';'), *digits = strstr(at, "[] = {");
        for (char *d = digits; d && end && digits < end && d < end; d++)
            *d = *d == '1' ? '0' : *d;
        at = end ? end : at + 1;
    }
    int bad = tool_write(s->shop, "pan.c", text, err);
    free(text);
    return bad;
}

int spin_translate(struct spin *s, const char *model, struct err *err)
{
    struct tool_ended ended;
    char *command[] = { (char *)"spin", (char *)"-a", (char *)"-o3", (char *)"model.pml", NULL };
    if (!tool_exists("spin"))
        return fail(err, "spin is not installed, which checks models; install it (apt-get install spin)");
    if (!tool_exists(compiler()))
        return fail(err, "%s: no such compiler; install it, or set CC to yours", compiler());
    int bad = tool_write(s->shop, "model.pml", model, err);
    if (!bad)
        bad = tool_write(s->shop, "settings.c", settings, err);
    if (!bad)
        bad = tool_write(s->shop, "verifier.c", teller, err);
    if (!bad)
        bad = tool_run(s->shop, command, "spin.log", NULL, 0, &ended, err);
    if (bad)
        return bad;
    if (s->c && (bad = build_program(s, err)))
        return bad;
    char *made = prose_make("%s/pan.c", s->shop->folder);
    bool there = !access(made, R_OK);
    free(made);
    if (WIFSIGNALED(ended.status))
        return fail(err, "Spin failed: signal %d", WTERMSIG(ended.status));
    return ended.status || !there ? tell(s->shop, "spin.log", "Spin refuses the model", err) : unmark(s, err);
}

/* Waits for its turn. Gives what is to be closed; or negative, with err. */
static int lock(const struct spin *s, const char *file, struct err *err)
{
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_errno(err, "%s cannot be made", file);
    while (flock(fd, LOCK_EX)) {
        int bad = errno != EINTR ? fail_errno(err, "%s cannot be locked", file) : s->shop->stopped(s->shop->arg) ? -EINTR : 0;
        if (bad) {
            close(fd);
            return bad;
        }
    }
    return fd;
}

int spin_share(struct spin *s, const char *model, struct err *err)
{
    const struct workshop *own = s->shop;
    struct workshop shared = *own;
    char *name = prose_make("%s/translated", s->made), done = 0;
    shared.folder = s->made;
    s->shop = &shared;
    int fd = lock(s, name, err), bad = fd < 0 ? fd : 0;
    if (!bad && read(fd, &done, 1) < 1)
        bad = spin_translate(s, model, err) ?: write(fd, "1", 1) < 1 ? fail_errno(err, "%s cannot be written", name) : 0;
    else if (!bad && s->c)
        bad = (s->size = size_of_data(s, err)) ? 0 : -EINVAL;
    if (fd >= 0)
        close(fd);
    s->shop = own;
    free(name);
    return bad;
}

static char *name_of(const struct spin *s, int build, bool optimised)
{
    return prose_make("%s/verifier%d%s", s->made, build, optimised ? "-fast" : "");
}

static int build_of(const struct spin_query *q)
{
    return (q->claim ? SPIN_CLAIM : 0) | (q->exact ? SPIN_EXACT : 0) | (q->fair || q->next ? SPIN_WHOLE : 0)
         | (q->exact && q->shortest ? SPIN_NEAREST : 0);
}

/* Where nothing is optimised clang, which has read the source before, takes half as long as gcc. */
static const char *quick_compiler(void)
{
    return !getenv("CC") && tool_exists("clang") ? "clang" : compiler();
}

/* It runs twice as fast when it is optimised, and that costs about ten times the compile. */
static bool is_worth_optimising(const struct spin_verifier *v)
{
    return v->built && !v->optimised && v->spent > 20 * v->compile;
}

/* What the verifier is compiled with, by the kind of search. */
static int add_flags(const struct spin *s, int which, bool optimise, char **to)
{
    int n = 0;
    to[n++] = (char *)"-w";
    to[n++] = (char *)(optimise ? "-O1" : "-O0");
    if (!(which & SPIN_EXACT))
        to[n++] = (char *)"-DBITSTATE";
    if (!(which & SPIN_CLAIM)) {
        to[n++] = (char *)"-DNOCLAIM";
        to[n++] = (char *)"-DSAFETY";
    }
    if (which & SPIN_WHOLE || s->c)              /* of a program Spin cannot see what its C touches, and so leaves nothing out */
        to[n++] = (char *)"-DNOREDUCE";
    if (which & SPIN_WHOLE)
        to[n++] = (char *)"-DNFAIR=8";           /* room for the fairness of 62 processes */
    if (which & SPIN_NEAREST) {
        to[n++] = (char *)"-DBFS";
        to[n++] = (char *)"-DSAFETY";
    }
    return n;
}

static int compile(struct spin *s, int which, bool optimise, const char *out, double *took, struct err *err)
{
    struct tool_ended ended = { 0 };
    char *made[] = { prose_make("%s.new", out), prose_make("-DMEMLIM=%d", s->memory), prose_make("-DVECTORSZ=%ld", s->c ? s->size + 4096 : 16384),
                     prose_make("-DVS_SIZE=%ld", s->size), prose_make("%s/%s", s->made, s->live ? "verifier.c" : "pan.c"), prose_make("%s/settings.c", s->made),
                     prose_make("%s/program.o", s->made), prose_make("-I%s", s->shop->include) }, *command[30];
    char *rest[] = { made[7], made[1], made[2], made[3], (char *)"-o", made[0], made[4], made[5] };
    char *program[] = { (char *)"-no-pie", made[6], (char *)"-lm" };
    int n = 0;
    command[n++] = (char *)(optimise ? compiler() : quick_compiler());
    n += add_flags(s, which, optimise, command + n);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        command[n++] = rest[i];
    for (size_t i = 0; s->c && i < sizeof program / sizeof *program; i++)
        command[n++] = program[i];
    command[n] = NULL;
    int bad = tool_run(s->shop, command, "compiler.log", NULL, 0, &ended, err);
    if (!bad && ended.status)
        bad = tell(s->shop, "compiler.log", "the compiler refuses the verifier", err);
    if (!bad && rename(made[0], out))
        bad = fail_errno(err, "%s: the verifier cannot be put there", out);
    *took = ended.seconds;
    s->compile_seconds += ended.seconds;
    s->compiled++;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        free(made[i]);
    return bad;
}

/* Of those who check side by side one compiles, and the others wait for it. */
static int build(struct spin *s, int which, struct err *err)
{
    struct spin_verifier *v = &s->builds[which];
    bool optimise = is_worth_optimising(v);
    if (v->built && !optimise)
        return 0;
    char *out = name_of(s, which, optimise), *name = prose_make("%s.lock", out);
    int fd = lock(s, name, err), bad = fd < 0 ? fd : 0;
    double took = 0;                 /* the lock says how long compiling took */
    bool there = !bad && !access(out, X_OK);
    if (!bad && !there)
        bad = compile(s, which, optimise, out, &took, err);
    if (!bad && !there ? write(fd, &took, sizeof took) < 0 : there && read(fd, &took, sizeof took) < 0)
        bad = fail_errno(err, "%s cannot be written", name);
    if (fd >= 0)
        close(fd);
    v->built = !bad;
    v->optimised = optimise;
    v->compile = optimise ? v->compile : took;
    free(out);
    free(name);
    return bad;
}

/* ---- a run ---- */

static double number_before(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    while (at && at > text && strchr(" \t", at[-1]))
        at--;
    const char *end = at;
    while (at && at > text && strchr("0123456789.e+-", at[-1]))
        at--;
    return at && at < end ? strtod(at, NULL) : 0;
}

static double number_behind(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? strtod(at + strlen(word), NULL) : 0;
}

/* Lines "pan:3: assertion violated ... (at depth 5)": the first, and the least depth. */
static void read_error(const char *text, struct spin_found *f)
{
    for (const char *at = text; (at = strstr(at, "pan:")); at++) {
        char *end;
        strtol(at + 4, &end, 10);
        if (end == at + 4 || *end != ':' || (at > text && at[-1] != '\n'))
            continue;
        size_t length = strcspn(end + 1, "\n");
        const char *depth = strstr(end, "(at depth ");
        long deep = depth && depth < end + 1 + length ? strtol(depth + 10, NULL, 10) : 0;
        if (!*f->first)
            snprintf(f->first, sizeof f->first, "%.*s", (int)length, end + 1);
        if (deep && (!f->error_depth || deep < f->error_depth))
            f->error_depth = deep;
    }
}

static int understand(const struct spin_query *q, const char *text, const struct tool_ended *ended, struct spin_found *f,
                      struct err *err)
{
    const char *counted = strstr(text, "errors: ");
    f->seconds = ended->seconds;
    f->depth_cut = strstr(text, "max search depth too small") != NULL;
    f->memory_cut = strstr(text, "out of memory") || strstr(text, "-DMEMLIM") || strstr(text, "pan: reached");
    f->time_cut = ended->out_of_time || strstr(text, "Interrupted") || strstr(text, "Time limit");
    if (!counted && !f->memory_cut && !f->time_cut) {
        const char *told = *text ? text : "it says nothing";
        return fail(err, "the verifier failed (%s %d): %.300s", WIFSIGNALED(ended->status) ? "signal" : "status",
                    WIFSIGNALED(ended->status) ? WTERMSIG(ended->status) : WEXITSTATUS(ended->status), told);
    }
    f->errors = counted ? strtol(counted + 8, NULL, 10) : 0;
    f->states = number_before(text, "states, stored");
    f->transitions = number_before(text, "transitions (=");
    f->depth = (long)number_behind(text, "depth reached ");
    f->hash_factor = q->exact ? 0 : number_behind(text, "hash factor: ");
    f->memory_kb = (int)(number_before(text, "total actual memory usage") * 1024);
    if (!f->memory_kb)               /* it tells this alone: where it ran out of it, and of the simplest searches */
        f->memory_kb = (int)(f->memory_cut ? number_before(text, "bytes used") / 1024 : number_before(text, "memory usage (Mbyte)") * 1024);
    read_error(text, f);
    const char *limit = strstr(text, "vs-limit ");
    if (limit)
        snprintf(f->limit, sizeof f->limit, "%.*s", (int)strcspn(limit + 9, "\n"), limit + 9);
    f->finished = !limit && counted && !f->depth_cut && !f->memory_cut && !f->time_cut && WIFEXITED(ended->status);
    return 0;
}

struct arguments { char *words[25]; int count; };

static void add(struct arguments *a, char *word)
{
    a->words[a->count++] = word;
    a->words[a->count] = NULL;
}

static void add_query(struct arguments *a, const struct spin *s, const struct spin_query *q)
{
    if (q->processor) {
        add(a, prose_make("prlimit"));
        add(a, prose_make("--cpu=%d:%d", q->processor, q->processor + 5));
    }
    add(a, prose_make("env"));
    add(a, prose_make("VS_FEATURES=%s", q->features ? q->features : ""));
    if (q->unspecified)
        add(a, prose_make("VS_UNSPECIFIED=%s", q->noting ? "note" : "fail"));
    if (q->mode)
        add(a, prose_make("VS_MODE=%c", q->mode));
    if (q->telling)
        add(a, prose_make("VS_TELL=1"));
    else if (s->live)
        add(a, prose_make("VS_LIVE=%s", s->live));
    add(a, name_of(s, build_of(q), s->builds[build_of(q)].optimised));
}

static void free_arguments(struct arguments *a)
{
    for (int i = 0; i < a->count; i++)
        free(a->words[i]);
}

int spin_run(struct spin *s, const struct spin_query *q, struct spin_found *f, struct err *err)
{
    struct arguments a = { 0 };
    struct tool_ended ended;
    *f = (struct spin_found){ 0 };
    int bad = build(s, build_of(q), err);
    if (bad)
        return bad;
    add_query(&a, s, q);
    add(&a, prose_make("-m%ld", q->depth));
    add(&a, prose_make("-w%d", q->exact ? 20 : q->table));
    bool nearest = build_of(q) & SPIN_NEAREST;
    if (q->claim) {
        if (!nearest)
            add(&a, prose_make("-a"));
        add(&a, prose_make("-N"));
        add(&a, prose_make("%s", q->claim));
    }
    if (q->fair && !nearest)
        add(&a, prose_make("-f"));
    if (q->no_assertions)
        add(&a, prose_make("-A"));
    if (q->no_ends)
        add(&a, prose_make("-E"));
    if (q->trails) {
        add(&a, prose_make("-e"));
        add(&a, prose_make("-c%d", q->trails));
    }
    if (q->shortest && !nearest)
        add(&a, prose_make("-I"));   /* not -i: each next one is at most half as long, so that there are few */
    bad = tool_run(s->shop, a.words, q->log, NULL, q->seconds, &ended, err);
    char *text = bad ? NULL : tool_output(s->shop, q->log, err);
    if (!bad)
        s->builds[build_of(q)].spent += ended.seconds;
    if (text)
        bad = understand(q, text, &ended, f, err);
    free(text);
    free_arguments(&a);
    return bad;
}

char *spin_replay(struct spin *s, const struct spin_query *q, int which, struct err *err)
{
    struct arguments a = { 0 };
    struct tool_ended ended;
    struct spin_query telling = *q;
    telling.telling = true;
    add_query(&a, s, &telling);
    if (q->claim) {
        add(&a, prose_make("-N"));
        add(&a, prose_make("%s", q->claim));
    }
    add(&a, prose_make("-v"));
    add(&a, prose_make("-r"));
    add(&a, which ? prose_make("model.pml%d.trail", which) : prose_make("model.pml.trail"));
    int bad = tool_run(s->shop, a.words, "trail.log", NULL, 0, &ended, err);
    free_arguments(&a);
    return bad ? NULL : tool_output(s->shop, "trail.log", err);
}
