/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/values.h"

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

/* Of one function: variables of its own, those whose address is given away, and what was passed or stored, each with its place; the last place in it that is
 * in no header of the system. Of all: functions, by their numbers, for a function is passed by its name, too; and what it is still to be seen of whether it is one. */
struct reader { struct words own, given, used, places, functions, names, names_at; char near[PATH_MAX]; struct prose found; int count; };

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

static bool has(const struct words *list, const char *name, size_t length)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strlen(list->items[i]) == length && !memcmp(list->items[i], name, length))
            return true;
    return false;
}

static void add_name(struct words *list, const char *name, size_t length)
{
    assert(length);
    if (!has(list, name, length))
        words_add_format(list, "%.*s", (int)length, name);
}

static void add_number(struct words *list, const char *name, size_t length)      /* that of a variable or function */
{
    size_t at = length;
    while (at && name[at - 1] != '.')
        at--;
    add_name(list, name + at, length - at);
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

/* Does a function that it is passed to keep an address? */
static bool keeps(const char *callee, size_t length)
{
    static const char *const harmless[] = { "__tsan_", "__builtin_", "llvm.", "_ZSt", "_ZNSt", "_ZNKSt", "_ZNS", "_ZNKS", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", NULL };
    static const char *const keeping[] = { "_ZNSt6thread", "_ZSt3ref", "_ZSt4cref", "_ZSt5async", "_ZNSt7jthread", "_ZNSt8function", "pthread_create", "thrd_create",
                                           "pthread_setspecific", "tss_set", "timer_create", "sigqueue", "pthread_sigqueue", "setvbuf", "putenv", NULL };
    return begins(callee, keeping) || !(begins(callee, harmless) || (length && of_library(callee, length)));
}

static size_t without_number(const char *callee)         /* of a name as gcc writes it */
{
    size_t number = name_length(callee);
    while (number && callee[number - 1] != '.')
        number--;
    return number > 2 ? number - 2 : 0;
}

static void note_addresses(struct reader *r, const char *text)
{
    for (const char *at = text; (at = strchr(at, '&')); at++) {
        const char *name = behind_place(at + 1);
        if (name_length(name))
            add_name(&r->given, name, name_length(name));
    }
}

static void use(struct reader *r, const char *line, const char *word, size_t length)
{
    const char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (!is_memory(word, length) || !end || !strncmp(line, "[/usr/", 6))
        return;
    words_add_format(&r->used, "%.*s", (int)length, word);
    words_add_format(&r->places, "%.*s", (int)(end - line - 1), line + 1);
}

/* Whatever it is, it is no function. */
static void leave_out(struct reader *r, const char *line)
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

/* gimple_call <callee, result, arguments...> */
static void read_call(struct reader *r, const char *line, const char *at)
{
    const char *callee = at;
    if (name_length(at))
        add_number(&r->functions, at, name_length(at));
    if (is_access(callee))
        leave_out(r, line);
    for (int i = 0; *at; i++) {
        at = behind_place(at + strspn(at, ", "));
        size_t length = word_length(at);
        if (i > 0)
            use(r, line, at, length);
        at += length;
        if (*at != ',')
            break;
    }
    if (keeps(callee, without_number(callee)))
        note_addresses(r, callee);
}

/* Its own: as it declares them, but what is static; and its parameters. */
static void read_declarations(struct reader *r, const char *line)
{
    if (!strncmp(line, "static ", 7) || strstr(line, "gimple_") || strchr(line, '='))
        return;
    for (const char *at = line; *at; at++) {
        size_t length = at == line || strchr(" *(,&", at[-1]) ? name_length(at) : 0;
        if (length && strchr(";,)[", at[length]))
            add_name(&r->own, at, length);
    }
}

static void add_place(struct reader *r, const char *place)
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

static void end_function(struct reader *r)
{
    for (uint32_t i = 0; i < r->used.count; i++) {
        const char *used = r->used.items[i];
        size_t length = strstr(used, "->") || *used == '*' ? 0 : name_length(used);
        if (length && has(&r->own, used, length) && !has(&r->given, used, length))
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

static bool is_function(const struct reader *r, const char *name)
{
    size_t length = name_length(name);
    const char *number = length && !name[length] ? strrchr(name, '.') + 1 : NULL;
    return number && (has(&r->functions, number, strlen(number)) || of_library(name, (size_t)(number - name - 2)));
}

static void end_file(struct reader *r)
{
    end_function(r);
    for (uint32_t i = 0; i < r->names.count; i++)
        if (!is_function(r, r->names.items[i]))
            add_place(r, r->names_at.items[i]);
    words_fini(&r->functions);
    words_fini(&r->names);
    words_fini(&r->names_at);
}

static void begin_function(struct reader *r, const char *line)
{
    const char *number = strstr(line, "decl_uid=");
    end_function(r);
    if (number)
        add_name(&r->functions, number + 9, strspn(number + 9, "0123456789"));
}

static void read_line(struct reader *r, const char *text)
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
    struct reader r = { 0 };
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, dump)) > 0) {
        line[length - (line[length - 1] == '\n')] = '\0';
        read_line(&r, line);
    }
    end_file(&r);
    free(line);
    return r.count ? prose_take(&r.found) : NULL;
}

/* ---- clang ---- */

/* The first name of one of its own variables, or of something that was made of one (`own` has both, `functions` then the variable), from `at` on; NULL: there is none. */
static const char *own_in(const struct reader *r, const char *at, const char *end, const char **variable)
{
    for (; (at = memchr(at, '%', (size_t)(end - at))); at++) {
        size_t length = strcspn(at, ",) \n");
        for (uint32_t i = 0; i < r->own.count; i++)
            if (strlen(r->own.items[i]) == length && !memcmp(r->own.items[i], at, length)) {
                *variable = r->functions.items[i];
                return at;
            }
    }
    return NULL;
}

/* %2 = alloca: the function's own; %4 = getelementptr ... %2: a part of that. */
static void read_own(struct reader *r, const char *line, const char *end)
{
    size_t length = strcspn(line, " ");
    const char *variable, *made = *line == '%' ? line + length : "";
    if (!strncmp(made, " = alloca ", 10)) {
        words_add_format(&r->own, "%.*s", (int)length, line);
        words_add_format(&r->functions, "%.*s", (int)length, line);
    } else if ((!strncmp(made, " = getelementptr ", 17) || !strncmp(made, " = bitcast ", 11)) && own_in(r, made, end, &variable)) {
        words_add_format(&r->own, "%.*s", (int)length, line);
        words_add(&r->functions, variable);
    }
}

/* What stands behind "!29 = ", where `key` !29 is in the line; NULL: nothing. */
static const char *entry(const char *text, const char *line, const char *end, const char *key)
{
    const char *at = memmem(line, (size_t)(end - line), key, strlen(key));
    char *name = at ? prose_make("\n!%lu = ", strtoul(at + strlen(key), NULL, 10)) : NULL;
    const char *found = name ? strstr(text, name) : NULL;
    found = found ? found + strlen(name) : NULL;
    free(name);
    return found;
}

static unsigned line_in(const char *text, const char *line, const char *end)     /* !dbg !29: !29 = !DILocation(line: 3, */
{
    static const char location[] = "!DILocation(line: ";
    const char *at = entry(text, line, end, "!dbg !");
    return at && !strncmp(at, location, sizeof location - 1) ? (unsigned)strtoul(at + sizeof location - 1, NULL, 10) : 0;
}

/* Of a function, which may be in a header: !dbg !7: !7 = distinct !DISubprogram(..., file: !8, ...): !8 = !DIFile(filename: "f.h". Gives; NULL: it does not say. */
static char *file_in(const char *text, const char *line, const char *end)
{
    static const char named[] = "!DIFile(filename: \"";
    const char *function = entry(text, line, end, "!dbg !");
    const char *at = function ? entry(text, function, function + strcspn(function, "\n"), " file: !") : NULL;
    if (!at || strncmp(at, named, sizeof named - 1))
        return NULL;
    at += sizeof named - 1;
    return prose_make("%.*s", (int)strcspn(at, "\""), at);
}

/* Of a function: is it to tell at all? Where it has attributes, they say so. */
static bool tells(const char *text, const char *line, const char *end)
{
    const char *at = memmem(line, (size_t)(end - line), ") #", 3);
    at = at ? at : memmem(line, (size_t)(end - line), "unnamed_addr #", 14);
    char *name = at ? prose_make("\nattributes #%lu = {", strtoul(strchr(at, '#') + 1, NULL, 10)) : NULL;
    const char *attributes = name ? strstr(text, name) : NULL;
    bool is = !attributes || memmem(attributes + 1, strcspn(attributes + 1, "\n"), "sanitize_thread", 15);
    free(name);
    return is;
}

/* What stands behind `byval(%struct.s) align 8`, in a call. */
static bool passes(const struct reader *r, const char *line, const char *end)
{
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), " byval(", 7));) {
        at += 7 + strcspn(at + 7, ")") + 1;
        at += strspn(at, " ");
        if (!strncmp(at, "align ", 6))
            at += 6 + strspn(at + 6, "0123456789 ");
        if (!has(&r->own, at, strcspn(at, ",) ")))
            return true;
    }
    return false;
}

/* A call gives addresses of its own variables to others; where a new thread's number goes is no such. */
static void read_given(struct reader *r, const char *at, const char *end)
{
    const char *callee = memchr(at, '@', (size_t)(end - at)), *variable, *first = callee ? memchr(callee, '(', (size_t)(end - callee)) : NULL;
    if (first && !keeps(callee + 1, (size_t)(first - callee - 1)))
        return;
    if (first && (!strncmp(callee, "@pthread_create(", 16) || !strncmp(callee, "@thrd_create(", 13)))
        first = memchr(first, ',', (size_t)(end - first));
    for (at = first ? first : at; (at = own_in(r, at, end, &variable)); at++)
        add_name(&r->given, variable, strlen(variable));
}

/* The address of a load or store: what stands before its alignment. */
static const char *address_of(const char *line, const char *end)
{
    const char *at = memmem(line, (size_t)(end - line), ", align ", 8);
    while (at && at > line && at[-1] != ' ')
        at--;
    return at;
}

/* One that is not told. Clang leaves out what is no word of the machine's (long double, wide vectors), and a part of the function's own variable unless the address
 * of just that part is given away. */
static void read_access(struct reader *r, const char *line, const char *end, bool silent)
{
    const char *address = address_of(line, end), *variable;
    const char *own = address ? own_in(r, address, address + strcspn(address, ",\n"), &variable) : NULL;
    bool odd = address && (memmem(line, (size_t)(address - line), "x86_fp80", 8) || memmem(line, (size_t)(address - line), " x ", 3));
    if (own ? strncmp(own, variable, strcspn(own, ",")) != 0 || odd : odd || silent) {
        words_add(&r->used, own ? variable : "");
        words_add_format(&r->places, "%.*s", (int)(end - line), line);
    }
}

static void add_line(struct reader *r, const char *text, const char *line, const char *end, const char *file)
{
    char *place = prose_make("%s:%u:", file, line_in(text, line, end));
    add_place(r, place);
    free(place);
}

static void end_of_clang(struct reader *r, const char *text, const char *file)
{
    for (uint32_t i = 0; i < r->used.count; i++)
        if (!*r->used.items[i] || has(&r->given, r->used.items[i], strlen(r->used.items[i])))
            add_line(r, text, r->places.items[i], r->places.items[i] + strlen(r->places.items[i]), file);
    words_fini(&r->functions);
    r->functions = (struct words){ 0 };
    r->used.count = 0;
    end_function(r);
}

static bool in(const char *line, const char *end, const char *word) { return memmem(line, (size_t)(end - line), word, strlen(word)); }
static bool is_call(const char *line, const char *end) { return in(line, end, "call ") || in(line, end, "invoke "); }
static bool is_instruction(const char *line, const char *end)    /* that reads or writes by itself */
{
    return in(line, end, "@llvm.masked.") || (in(line, end, "@llvm.x86.") && (in(line, end, "i8* ") || in(line, end, "ptr ")));
}

char *values_find_passed(const char *text)
{
    struct reader r = { 0 };
    bool told = false, silent = false;
    const char *name = strstr(text, "source_filename = \"");
    char *source = name ? prose_make("%.*s", (int)strcspn(name + 19, "\""), name + 19) : prose_make("?"), *file = NULL;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        line += strspn(line, " ");
        bool access = (!strncmp(line, "store ", 6) || in(line, end, " = load ")) && in(line, end, "!dbg !");
        if (!strncmp(line, "define ", 7)) {
            end_of_clang(&r, text, file ? file : source);
            free(file);
            file = file_in(text, line, end);
            silent = !tells(text, line, end) && !in(line, end, "@tsan.");
        } else if (access && !told)
            read_access(&r, line, end, silent);
        else if (is_call(line, end) && (passes(&r, line, end) || is_instruction(line, end)))
            add_line(&r, text, line, end, file ? file : source);
        else
            read_own(&r, line, end);
        if (is_call(line, end))
            read_given(&r, line, end);
        const char *variable, *address = !strncmp(line, "store ", 6) ? address_of(line, end) : NULL;
        if (address && own_in(&r, line, address, &variable))
            add_name(&r.given, variable, strlen(variable));
        told = in(line, end, "@__tsan_");
    }
    end_of_clang(&r, text, file ? file : source);
    end_file(&r);
    free(source);
    free(file);
    return r.count ? prose_take(&r.found) : NULL;
}

static bool is_source(const char *word)
{
    static const char *const ends[] = { ".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", NULL };
    const char *end = strrchr(word, '.');
    for (int i = 0; *word != '-' && end && ends[i]; i++)
        if (!strcmp(end, ends[i]))
            return true;
    return false;
}

/* The command for one of its sources: several cannot be shown at one go. */
static char *show(const struct words *command, const struct words *sources, uint32_t one)
{
    struct words bare = { 0 }, some = { 0 };
    assert(one < sources->count && is_source(sources->items[one]));
    for (uint32_t i = 0; i < sources->count; i++)
        if (i == one || !is_source(sources->items[i]))
            words_add(&some, sources->items[i]);
    assembly_add_bare(&bare, command);
    assembly_add_bare(&bare, &some);
    words_add(&bare, "-S");
    words_add(&bare, "-emit-llvm");
    words_add(&bare, "-o");
    words_add(&bare, "-");
    char *text = ask_all(bare.items);
    words_fini(&bare);
    words_fini(&some);
    return text;
}

void values_note(struct words *command, const struct words *sources, const struct home *home)
{
    struct prose all = { 0 };
    assert(command->count && sources->count);
    for (uint32_t i = 0; i < sources->count; i++) {
        if (!is_source(sources->items[i]))
            continue;
        char *text = show(command, sources, i), *places = text ? values_find_passed(text) : prose_make("some place of %s", sources->items[i]);
        if (places)
            prose_add(&all, "%s%s", all.length ? ", " : "", places);
        free(text);
        free(places);
    }
    if (all.length) {
        words_add(command, "-include");
        words_add_format(command, "%s/verisoft-assembly.h", home->include);
        words_add_format(command, "-DVERISOFT_VALUES=\"%s\"", all.text);
    }
    prose_fini(&all);
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
