/* SPDX-License-Identifier: MIT */
#include "cli/request.h"

#include "cli/program.h"
#include "cli/several.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct request       *request;
    const struct command *command;
    int                   left;              /* words not yet read */
    char                **next;
    struct err           *err;
};

static bool begins(const char *word, const char *with)
{
    return !strncmp(word, with, strlen(with));
}

static bool ends(const char *word, const char *with)
{
    size_t length = strlen(word), tail = strlen(with);
    return length > tail && !strcmp(word + length - tail, with);
}

static const char *take(struct reader *r)
{
    r->left--;
    return *r->next++;
}

bool request_has(int count, char **words, const char *word)
{
    for (int i = 0; i < count && strcmp(words[i], "--"); i++)
        if (!strcmp(words[i], word))
            return true;
    return false;
}

/* "; did you mean --max-depth?" or "". */
static struct suggestion_text nearest(const struct reader *r, const char *word)
{
    struct suggestion near;
    struct option_text spelled[OPTION_COUNT];
    char name[48];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    suggest_start(&near, name);
    for (int id = 0; id < OPTION_COUNT; id++) {
        spelled[id] = option_on_command_line(id);
        if (options[id].where & r->command->options)
            suggest_offer(&near, spelled[id].text);
    }
    return suggest_text(&near);
}

static int unknown_option(struct reader *r, const char *word)
{
    return fail(r->err, "%s: %s has no such option%s (verisoft %s --help lists them; behind -- stand those of your program)",
                words_shown(word).text, r->command->name, nearest(r, word).text, r->command->name);
}

/* The value of an option given without '=': the next word, if it can be one. NULL: there is none. */
static const char *value_behind(struct reader *r, const struct option *o)
{
    if (o->kind == KIND_FLAG)
        return "1";
    const char *next = r->left ? *r->next : NULL;
    if (o->kind == KIND_SWITCH)      /* any number is meant for it, also a wrong one: no program is called so */
        return next && *next && !next[strspn(next, "0123456789")] ? take(r) : "1";
    return next && !begins(next, "--") ? take(r) : NULL;
}

static void repeat(struct reader *r, enum option_id id, const char *spelled, const char *value)
{
    if (options[id].where & REPEATED) {
        words_add(&r->request->repeated, spelled);
        words_add(&r->request->repeated, value);
    }
}

/* Behind an executable, what is not ours is its own, and so is all that follows: verisoft ./server --port 0 */
static bool for_program(const struct reader *r)
{
    return r->request->program.count == 1 && program_is_executable(r->request->program.items[0]);
}

static int pass_on(struct reader *r, const char *word)
{
    words_add(&r->request->arguments, word);
    while (r->left)
        words_add(&r->request->arguments, take(r));
    return 0;
}

/* One that is almost ours is a slip, not the program's. */
static int not_ours(struct reader *r, const char *word)
{
    if (!for_program(r))
        return unknown_option(r, word);
    struct suggestion_text near = nearest(r, word);
    if (!*near.text)
        return pass_on(r, word);
    return fail(r->err, "%s: no such option%s If it is the program's own, write -- before it", words_shown(word).text, near.text);
}

static int own_option(struct reader *r, const char *word)
{
    char name[48];
    size_t length = strcspn(word, "=");
    if (length >= sizeof name)
        return not_ours(r, word);
    memcpy(name, word, length);
    name[length] = '\0';
    int id = option_find(name + 2, r->command->options);
    if (id < 0)
        return not_ours(r, word);
    struct option_text spelled = option_on_command_line(id);
    if (word[length] && options[id].kind == KIND_FLAG)
        return fail(r->err, "%s: takes no value; write only %s", spelled.text, spelled.text);
    const char *value = word[length] ? word + length + 1 : value_behind(r, &options[id]);
    if (!value)
        return fail(r->err, "%s: the value is missing; write %s %s", spelled.text, spelled.text, options[id].value);
    int failed = settings_set(&r->request->settings, id, value, FROM_COMMAND, spelled.text, r->err);
    if (!failed)
        repeat(r, id, spelled.text, value);
    return failed;
}

/* Options of the compiler, by how they begin; those of one letter may have their value in the next word. */
static const char *const compiler_options[] = { "-D", "-I", "-L", "-l", "-U", "-std", "-f", "-W", "-O", "-g", "-m", "-pthread" };

static bool compiler_option(const char *word)
{
    for (size_t i = 0; i < sizeof compiler_options / sizeof *compiler_options; i++)
        if (begins(word, compiler_options[i]))
            return true;
    return false;
}

static int for_compiler(struct reader *r, const char *word)
{
    words_add(&r->request->compiler, word);
    if (strlen(word) > 2 || !strchr("DILlU", word[1]))
        return 0;
    if (!r->left)
        return fail(r->err, "%s: the value is missing", word);
    words_add(&r->request->compiler, take(r));
    return 0;
}

static bool is_certificate(const char *word) { return ends(word, ".scc") || ends(word, ".part"); }

static int set_scenario(struct reader *r, const char *word)
{
    bool follows = r->command->ending;
    if (is_certificate(word) && !follows)
        return fail(r->err, "%s: is a certificate; to follow it, type: verisoft certify PROGRAM %s", word, word);
    if (!r->command->scenario || is_certificate(word) != follows)
        return fail(r->err, "%s: is a scenario; to see it happen, type: verisoft replay PROGRAM %s (to start a search where it "
                    "ends: --init-path %s)", word, word, word);
    if (r->request->scenario)
        return fail(r->err, "%s: a second one; %s was named already", word, r->request->scenario);
    r->request->scenario = words_copy(word);
    return 0;
}

/* Is it followed by another program? Then it ends this one. */
static bool begins_program(const struct reader *r, const char *word)
{
    return !strcmp(word, SEVERAL_MARK) && r->left && (program_source_name(*r->next) || program_is_executable(*r->next));
}

static int name_file(struct reader *r, const char *word)
{
    if (begins_program(r, word)) {
        words_add(&r->request->program, word);
        return 0;
    }
    if (ends(word, ".path") || is_certificate(word))
        return set_scenario(r, word);
    if (for_program(r) && (!r->command->no_scenario || r->request->scenario))
        return pass_on(r, word);
    words_add(&r->request->program, word);
    return 0;
}

/* As make has it: -j4 or -j 4. */
static int set_jobs(struct reader *r, const char *word)
{
    const char *value = word[2] ? word + 2 : r->left ? take(r) : NULL;
    return value ? settings_set(&r->request->settings, OPTION_jobs, value, FROM_COMMAND, "-j", r->err)
                 : fail(r->err, "-j: the value is missing; write -j N");
}

static int read_word(struct reader *r, const char *word)
{
    if (begins(word, "--"))
        return own_option(r, word);
    if (word[0] != '-' || !word[1])
        return name_file(r, word);
    if (begins(word, "-j") && option_find("jobs", r->command->options) >= 0)
        return set_jobs(r, word);
    if (!strcmp(word, "-simul") && r->command == &command_simulate)
        return 0;
    if (for_program(r))
        return pass_on(r, word);
    if (!strcmp(word, "-static"))
        return fail(r->err, "-static: nothing can be put between a statically linked program and the C library; leave it out");
    bool one_dash_short = option_find(word + 1, r->command->options) >= 0;      /* -livelock-limit is no library */
    return compiler_option(word) && !one_dash_short ? for_compiler(r, word) : unknown_option(r, word);
}

/* A scenario need not be called .path: then it is the last word, behind the program. */
static void scenario_of_any_name(struct request *q)
{
    if (q->program.count >= 2 && !program_source_name(q->program.items[q->program.count - 1]))
        q->scenario = words_take_last(&q->program);
}

/* All arguments stand behind all programs, with a mark between those of two, as a replay is spelled. */
static bool arguments_are_last(const struct reader *r, uint32_t programs)
{
    uint32_t marks = 0;
    for (struct reader rest = *r; rest.left;) {
        const char *word = take(&rest);
        marks += !strcmp(word, SEVERAL_MARK);
        if (begins_program(&rest, word))
            return false;
    }
    return marks == programs - 1 && !r->request->arguments.count;
}

static void add_marks(struct request *q)                 /* as many as between the programs */
{
    while (several_count(&q->arguments) < several_count(&q->program))
        words_add(&q->arguments, SEVERAL_MARK);
}

/* Those of the program that was named last: the ones before it have none. */
static void begin_arguments(struct reader *r)
{
    if (!arguments_are_last(r, several_count(&r->request->program)))
        add_marks(r->request);
}

/* The words up to --, then the arguments of that program, which end where another one begins. */
static int read_all(struct reader *r)
{
    bool arguments = false;
    while (r->left) {
        const char *word = take(r);
        if (arguments && !begins_program(r, word)) {
            words_add(&r->request->arguments, word);
            continue;
        }
        arguments = !arguments && !strcmp(word, "--");
        if (arguments)
            begin_arguments(r);
        int failed = arguments ? 0 : read_word(r, word);
        if (failed)
            return failed;
    }
    if (r->request->arguments.count)
        add_marks(r->request);
    return 0;
}

int request_read(struct request *q, const struct command *command, int count, char **words, struct err *err)
{
    struct reader r = { .request = q, .command = command, .left = count, .next = words, .err = err };
    *q = (struct request){ 0 };
    settings_init(&q->settings);
    int failed = read_all(&r);
    if (failed)
        return failed;
    if (!q->program.count)
        return fail(err, "which program? Type: verisoft %s", command->synopsis);
    if (command->scenario && !q->scenario)
        scenario_of_any_name(q);
    return command->no_scenario && !q->scenario ? fail(err, "%s", command->no_scenario) : 0;
}

void request_fini(struct request *q)
{
    settings_fini(&q->settings);
    words_fini(&q->program);
    words_fini(&q->compiler);
    words_fini(&q->arguments);
    words_fini(&q->repeated);
    free(q->scenario);
}
