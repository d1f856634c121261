/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/values_internal.h"

#include "base/ask.h"
#include "base/prose.h"
#include "cli/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_NAMED = 5 };

/* ---- words of a statement ---- */

static const char *behind_place(const char *at)          /* [file.c:3:7] */
{
    const char *end = *at == '[' ? strstr(at, "] ") : NULL;
    return end ? end + 2 : at;
}

static size_t quoted(const char *at)
{
    size_t length = 1;
    while (at[length] && at[length] != '"')
        length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length;
}

/* To the comma behind it, or to the end. */
static size_t word_length(const char *at)
{
    size_t length = 0;
    for (int depth = 0; at[length] && !(depth == 0 && (at[length] == ',' || at[length] == '>') && at[length - (length > 0)] != '-'); length++) {
        if (at[length] == '"')
            length += quoted(at + length);
        if (!at[length])
            break;
        depth += strchr("([{", at[length]) ? 1 : strchr(")]}", at[length]) ? -1 : 0;
    }
    return length;
}

/* Such as sharedD.3098, its number included; 0: none begins here. */
static size_t name_length(const char *at)
{
    size_t length = 0, end;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' || (at[length] == '.' && length && at[length - 1] != 'D'))
        length++;
    if (!length || at[length] != '.' || at[length - 1] != 'D')
        return 0;
    for (end = length + 1; isdigit((unsigned char)at[end]);)
        end++;
    return end > length + 1 ? end : 0;
}

static bool ends_in_name(const char *at, size_t length)
{
    size_t digits = length;
    while (digits && isdigit((unsigned char)at[digits - 1]))
        digits--;
    return digits < length && digits > 1 && at[digits - 1] == '.' && at[digits - 2] == 'D';
}

/* All that is in a register has a number of its own at its end, and no more. */
static bool is_memory(const char *at, size_t length)
{
    if (!length || strchr("&\"{-", *at) || isdigit((unsigned char)*at))
        return false;
    return *at == '*' || at[length - 1] == ']' || ends_in_name(at, length) || memmem(at, length, "->", 2);
}

/* ---- one function ---- */

bool values_has(const struct words *list, const char *name, size_t length)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strlen(list->items[i]) == length && !memcmp(list->items[i], name, length))
            return true;
    return false;
}

void values_add_name(struct words *list, const char *name, size_t length)
{
    assert(length);
    if (!values_has(list, name, length))
        words_add_format(list, "%.*s", (int)length, name);
}

static void add_number(struct words *list, const char *name, size_t length)      /* that of a variable or function */
{
    size_t at = length;
    while (at && name[at - 1] != '.')
        at--;
    values_add_name(list, name + at, length - at);
}

static bool begins(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (!strncmp(text, *list, strlen(*list)))
            return true;
    return false;
}

static bool of_library(const char *name, size_t length)          /* that of C */
{
    char *plain = prose_make("%.*s", (int)length, name);
    bool is = dlsym(RTLD_DEFAULT, plain) != NULL;
    free(plain);
    return is;
}

bool values_keeps(const char *callee, size_t length)
{
    static const char *const harmless[] = { "__tsan_", "__builtin_", "llvm.", "_ZSt", "_ZNSt", "_ZNKSt", "_ZNS", "_ZNKS", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", NULL };
    static const char *const keeping[] = { "_ZSt3ref", "_ZSt4cref", "_ZNSt8function", "pthread_create", "thrd_create", "pthread_setspecific", "tss_set",
                                           "timer_create", "sigqueue", "pthread_sigqueue", "setvbuf", "putenv", NULL };      /* std::thread copies what it is given */
    return begins(callee, keeping) || !(begins(callee, harmless) || (length && of_library(callee, length)));
}

static size_t without_number(const char *callee)         /* of a name as gcc writes it */
{
    size_t number = name_length(callee);
    while (number && callee[number - 1] != '.')
        number--;
    return number > 2 ? number - 2 : 0;
}

static void note_addresses(struct values_reader *r, const char *text)
{
    for (const char *at = text; (at = strchr(at, '&')); at++) {
        const char *name = behind_place(at + 1);
        if (name_length(name))
            values_add_name(&r->given, name, name_length(name));
    }
}

static void use(struct values_reader *r, const char *line, const char *word, size_t length)
{
    const char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (!is_memory(word, length) || !end || !strncmp(line, "[/usr/", 6))
        return;
    words_add_format(&r->used, "%.*s", (int)length, word);
    words_add_format(&r->places, "%.*s", (int)(end - line - 1), line + 1);
}

/* Whatever it is, it is no function. */
static void leave_out(struct values_reader *r, const char *line)
{
    const char *place = *r->near ? r->near : *line == '[' ? line + 1 : "?::";
    words_add(&r->names, "");
    words_add_format(&r->names_at, "%.*s", (int)strcspn(place, "]"), place);
}

/* An instruction by its name, which reads or writes memory by itself. Most are numbers to gcc. */
static bool is_access(const char *callee)
{
    static const char *const words[] = { "movnt", "maskmov", "load", "store", "lddqu", "gather", "scatter", "mxcsr", "xsave", "xrstor", "fxsave", "fxrstor",
                                         "movdir", "enqcmd", "clzero", "rdrand", "rdseed" };
    size_t length = name_length(callee);
    if (strncmp(callee, "__builtin_ia32_", 15))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(callee, length, words[i], strlen(words[i])))
            return true;
    return false;
}

/* It is given no structure by value: what looks like one is the name of a destructor, which may be a library's. */
static bool takes_destructor(const char *callee)
{
    static const char *const words[] = { "__cxa_atexitD.", "__cxa_thread_atexitD.", "__cxa_throwD.", NULL };
    return begins(callee, words);
}

/* gimple_call <callee, result, arguments...> */
static void read_call(struct values_reader *r, const char *line, const char *at)
{
    const char *callee = at;
    if (name_length(at))
        add_number(&r->functions, at, name_length(at));
    if (is_access(callee))
        leave_out(r, line);
    for (int i = 0; *at; i++) {
        at = behind_place(at + strspn(at, ", "));
        size_t length = word_length(at);
        if (i > 0 && !takes_destructor(callee))
            use(r, line, at, length);
        at += length;
        if (*at != ',')
            break;
    }
    if (values_keeps(callee, without_number(callee)))
        note_addresses(r, callee);
}

/* Its own: as it declares them, but what is static; and its parameters. */
static void read_declarations(struct values_reader *r, const char *line)
{
    if (!strncmp(line, "static ", 7) || strstr(line, "gimple_") || strchr(line, '='))
        return;
    for (const char *at = line; *at; at++) {
        size_t length = at == line || strchr(" *(,&", at[-1]) ? name_length(at) : 0;
        if (length && strchr(";,)[", at[length]))
            values_add_name(&r->own, at, length);
    }
}

void values_add_place(struct values_reader *r, const char *place)
{
    int colon = 0;
    const char *slash = strrchr(place, '/'), *name = slash ? slash + 1 : place;
    for (const char *at = name; *at; at++)
        colon = *at == ':' ? (int)(at - name) : colon;
    char *text = prose_make("%.*s", colon, name);
    if (r->found.length && strstr(r->found.text, text)) {
        free(text);
        return;
    }
    if (r->count == MOST_NAMED)
        prose_add(&r->found, ", ...");
    if (r->count++ < MOST_NAMED)
        prose_add(&r->found, "%s%s", r->found.length ? ", " : "", text);
    free(text);
}

void values_end_function(struct values_reader *r)
{
    for (uint32_t i = 0; i < r->used.count; i++) {
        const char *used = r->used.items[i];
        size_t length = strstr(used, "->") || *used == '*' ? 0 : name_length(used);
        if (length && values_has(&r->own, used, length) && !values_has(&r->given, used, length))
            continue;
        words_add(&r->names, used);
        words_add(&r->names_at, r->places.items[i]);
    }
    words_fini(&r->own);
    words_fini(&r->given);
    words_fini(&r->used);
    words_fini(&r->places);
    r->own = r->given = r->used = r->places = (struct words){ 0 };
    *r->near = '\0';
}

static bool is_function(const struct values_reader *r, const char *name)
{
    size_t length = name_length(name);
    const char *number = length && !name[length] ? strrchr(name, '.') + 1 : NULL;
    return number && (values_has(&r->functions, number, strlen(number)) || of_library(name, (size_t)(number - name - 2)));
}

void values_end_file(struct values_reader *r)
{
    values_end_function(r);
    for (uint32_t i = 0; i < r->names.count; i++)
        if (!is_function(r, r->names.items[i]))
            values_add_place(r, r->names_at.items[i]);
    words_fini(&r->functions);
    words_fini(&r->names);
    words_fini(&r->names_at);
}

static void begin_function(struct values_reader *r, const char *line)
{
    const char *number = strstr(line, "decl_uid=");
    values_end_function(r);
    if (number)
        values_add_name(&r->functions, number + 9, strspn(number + 9, "0123456789"));
}

static void read_line(struct values_reader *r, const char *text)
{
    const char *line = text + strspn(text, " "), *at = behind_place(line);
    if (*line == '[' && strncmp(line, "[/usr/", 6))
        snprintf(r->near, sizeof r->near, "%s", line + 1);
    if (strstr(at, "CHAIN.") && strstr(at, ")->"))       /* a function within another one uses that one's variables */
        leave_out(r, line);
    if (!strncmp(text, ";; Function ", 12))
        begin_function(r, text);
    else if (!strncmp(at, "gimple_call <", 13))
        read_call(r, line, at + 13);
    else if (!strncmp(at, "gimple_assign <", 15))
        note_addresses(r, at);
    else
        read_declarations(r, line);
}

char *values_find(FILE *dump)
{
    struct values_reader r = { 0 };
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, dump)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        read_line(&r, line);
    }
    values_end_file(&r);
    free(line);
    return r.count ? prose_take(&r.found) : NULL;
}

/* ---- a stage of gcc's ---- */

void values_add(struct words *command)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return;
    self[length] = '\0';
    if (strchr(self, ','))           /* gcc would take it for two words */
        return;
    words_add(command, "-wrapper");
    words_add_format(command, "%s,cc," VALUES_STAGE, self);
}

static bool is_compiler(int count, char **words)
{
    const char *slash = strrchr(words[0], '/'), *name = slash ? slash + 1 : words[0];
    bool tells = false, makes = false, nothing = false;
    for (int i = 1; i < count; i++) {
        tells |= !strcmp(words[i], "-fsanitize=thread");
        makes |= !strcmp(words[i], "-o");
        nothing |= !strcmp(words[i], "-E") || !strcmp(words[i], "-fsyntax-only");
    }
    return tells && makes && !nothing && !strncmp(name, "cc1", 3);
}

static _Noreturn void become(int count, char **words, int dump)
{
    struct words command = { 0 };
    for (int i = 0; i < count; i++)
        words_add(&command, words[i]);
    if (dump >= 0) {
        words_add_format(&command, "-fdump-tree-tsan0-raw-uid-asmname-lineno=/dev/fd/%d", dump);
        words_add_format(&command, "-fdump-tree-tsan-raw-uid-asmname-lineno=/dev/fd/%d", dump);
    }
    execvp(command.items[0], command.items);
    perror(command.items[0]);
    _exit(127);
}

/* Behind what the compiler has written. */
static bool add_note(int count, char **words, const char *places)
{
    const char *path = NULL;
    for (int i = 1; i + 1 < count; i++)
        path = !strcmp(words[i], "-o") ? words[i + 1] : path;
    FILE *file = !strcmp(path, "-") ? stdout : fopen(path, "ae");
    if (!file)
        return false;
    fprintf(file, "\t.pushsection verisoft.values,\"\",@progbits\n\t.asciz \"%s\"\n\t.popsection\n", places);
    return (file == stdout ? fflush(file) : fclose(file)) == 0;
}

int values_stage(int count, char **words)
{
    int ends[2], status = 0;
    if (count < 1)
        return 2;
    if (!is_compiler(count, words) || pipe(ends))
        become(count, words, -1);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(count, words, ends[1]);
    }
    close(ends[1]);
    FILE *dump = fdopen(ends[0], "r");
    char *places = dump ? values_find(dump) : NULL;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child < 0 || !dump)
        return 1;
    if (WIFSIGNALED(status))
        raise(WTERMSIG(status));
    bool noted = status || !places || add_note(count, words, places);
    free(places);
    fclose(dump);
    return !noted ? 1 : WEXITSTATUS(status);
}
