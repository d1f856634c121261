/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cli/values_internal.h"

#include "base/ask.h"
#include "cli/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The first name of one of its own variables, or of something that was made of one (`own` has both, `functions` then the variable), from `at` on; NULL: there is none. */
static const char *own_in(const struct values_reader *r, const char *at, const char *end, const char **variable)
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

/* %2 = alloca: the function's own; %4 = getelementptr ... %2: a part of that, or its address as a number, as one of several, as a part of what is put together. */
static void read_own(struct values_reader *r, const char *line, const char *end)
{
    static const char *const ways[] = { "getelementptr", "bitcast", "ptrtoint", "inttoptr", "addrspacecast", "select", "phi", "freeze", "insertvalue",
                                        "extractvalue", "insertelement", "extractelement", "shufflevector", "add", "sub", NULL };
    size_t length = strcspn(line, " ");
    const char *variable, *made = *line == '%' ? line + length : "";
    size_t way = 3 + strcspn(made + strnlen(made, 3), " ");
    bool derives = false;
    for (int i = 0; ways[i] && !strncmp(made, " = ", 3); i++)
        derives |= way == 3 + strlen(ways[i]) && !memcmp(made + 3, ways[i], way - 3);
    if (!strncmp(made, " = alloca ", 10)) {
        words_add_format(&r->own, "%.*s", (int)length, line);
        words_add_format(&r->functions, "%.*s", (int)length, line);
    } else if (derives && own_in(r, made, end, &variable)) {
        words_add_format(&r->own, "%.*s", (int)length, line);
        words_add(&r->functions, variable);
    }
}

/* What stands behind "!29 = ", where `key` !29 is in the line; NULL: nothing. All such notes stand behind the functions. */
static const char *entry(const char *notes, const char *line, const char *end, const char *key)
{
    const char *at = memmem(line, (size_t)(end - line), key, strlen(key));
    char *name = at ? prose_make("\n!%lu = ", strtoul(at + strlen(key), NULL, 10)) : NULL;
    const char *found = name ? strstr(notes, name) : NULL;
    found = found ? found + strlen(name) : NULL;
    free(name);
    return found;
}

/* !DILocation(line: 3, column: 7, scope: !8), or NULL. */
static const char *location(const char *notes, const char *line, const char *end)
{
    const char *at = entry(notes, line, end, "!dbg !");
    return at && !strncmp(at, "!DILocation(line: ", 18) ? at : NULL;
}

/* Of an instruction, which may be another function's that stands here, or of a function, which may be in a header: its scope, !8 = distinct !DISubprogram(...,
 * file: !9, ...), and of that !9 = !DIFile(filename: "f.h". Gives; NULL: it does not say. */
static char *file_in(const char *notes, const char *line, const char *end)
{
    static const char named[] = "!DIFile(filename: \"";
    const char *at = location(notes, line, end);
    at = at ? entry(notes, at, at + strcspn(at, "\n"), " scope: !") : entry(notes, line, end, "!dbg !");
    at = at ? entry(notes, at, at + strcspn(at, "\n"), " file: !") : NULL;
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
static bool passes(const struct values_reader *r, const char *line, const char *end)
{
    for (const char *at = line; (at = memmem(at, (size_t)(end - at), " byval(", 7));) {
        at += 7 + strcspn(at + 7, ")") + 1;
        at += strspn(at, " ");
        if (!strncmp(at, "align ", 6))
            at += 6 + strspn(at + 6, "0123456789 ");
        if (!values_has(&r->own, at, strcspn(at, ",) ")))
            return true;
    }
    return false;
}

/* A call gives addresses of its own variables to others; where a new thread's number goes is no such. */
static void read_given(struct values_reader *r, const char *at, const char *end)
{
    const char *callee = memchr(at, '@', (size_t)(end - at)), *variable, *first = callee ? memchr(callee, '(', (size_t)(end - callee)) : NULL;
    const char *name = first ? callee + 1 + (callee[1] == '"') : NULL;       /* @"_ZNSt6threadC1IZ4mainE3$_0..." */
    if (first && !values_keeps(name, (size_t)(first - name)))
        return;
    if (first && (!strncmp(callee, "@pthread_create(", 16) || !strncmp(callee, "@thrd_create(", 13)))
        first = memchr(first, ',', (size_t)(end - first));
    for (at = first ? first : at; (at = own_in(r, at, end, &variable)); at++)
        values_add_name(&r->given, variable, strlen(variable));
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
static void read_access(struct values_reader *r, const char *line, const char *end, bool silent)
{
    const char *address = address_of(line, end), *variable;
    const char *own = address ? own_in(r, address, address + strcspn(address, ",\n"), &variable) : NULL;
    bool odd = address && (memmem(line, (size_t)(address - line), "x86_fp80", 8) || memmem(line, (size_t)(address - line), " x ", 3));
    if (own ? strncmp(own, variable, strcspn(own, ",")) != 0 || odd : odd || silent) {
        words_add(&r->used, own ? variable : "");
        words_add_format(&r->places, "%.*s", (int)(end - line), line);
    }
}

/* Not of a header of the system: so it is with gcc. */
static void add_line(struct values_reader *r, const char *notes, const char *line, const char *end, const char *function)
{
    const char *at = location(notes, line, end);
    char *file = file_in(notes, line, end), *place = prose_make("%s:%lu:", file ? file : function, at ? strtoul(at + 18, NULL, 10) : 0);
    if (strncmp(place, "/usr/", 5) != 0)
        values_add_place(r, place);
    free(file);
    free(place);
}

static void end_of_clang(struct values_reader *r, const char *notes, const char *file)
{
    for (uint32_t i = 0; i < r->used.count; i++)
        if (!*r->used.items[i] || values_has(&r->given, r->used.items[i], strlen(r->used.items[i])))
            add_line(r, notes, r->places.items[i], r->places.items[i] + strlen(r->places.items[i]), file);
    words_fini(&r->functions);
    r->functions = (struct words){ 0 };
    r->used.count = 0;
    values_end_function(r);
}

static bool in(const char *line, const char *end, const char *word) { return memmem(line, (size_t)(end - line), word, strlen(word)); }
static bool is_call(const char *line, const char *end) { return in(line, end, "call ") || in(line, end, "invoke "); }
static bool is_instruction(const char *line, const char *end)    /* that reads or writes by itself */
{
    return in(line, end, "@llvm.masked.") || (in(line, end, "@llvm.x86.") && (in(line, end, "i8* ") || in(line, end, "ptr ")));
}

char *values_find_passed(const char *text)
{
    struct values_reader r = { 0 };
    bool told = false, silent = false;
    const char *numbered = strstr(text, "\n!0 = "), *notes = numbered ? numbered : text;
    const char *name = strstr(text, "source_filename = \"");
    char *source = name ? prose_make("%.*s", (int)strcspn(name + 19, "\""), name + 19) : prose_make("?"), *file = NULL;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        line += strspn(line, " ");
        bool access = (!strncmp(line, "store ", 6) || in(line, end, " = load ")) && in(line, end, "!dbg !");
        if (!strncmp(line, "define ", 7)) {
            end_of_clang(&r, notes, file ? file : source);
            free(file);
            file = file_in(notes, line, end);
            silent = !tells(text, line, end) && !in(line, end, "@tsan.");
        } else if (access && !told)
            read_access(&r, line, end, silent);
        else if (is_call(line, end) && (passes(&r, line, end) || is_instruction(line, end)))
            add_line(&r, notes, line, end, file ? file : source);
        else
            read_own(&r, line, end);
        if (is_call(line, end))
            read_given(&r, line, end);
        const char *variable, *address = !strncmp(line, "store ", 6) ? address_of(line, end) : NULL;
        if (address && own_in(&r, line, address, &variable))
            values_add_name(&r.given, variable, strlen(variable));
        told = in(line, end, "@__tsan_");
    }
    end_of_clang(&r, notes, file ? file : source);
    values_end_file(&r);
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
