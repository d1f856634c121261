/* Which C++ exception ends the program. Asked for as abort() is called: by then libstdc++ has caught it, and its own functions
 * know it. They are looked up by name, so that a program without them needs nothing of them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "group.h"
#include "signals.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#pragma GCC poison malloc calloc free printf

/* As the C++ ABI lays them out. */
struct type;
typedef bool catches_t(const struct type *, const struct type *thrown, void **object, unsigned outer);
struct type { const struct { void *destroy[2], *is[2]; catches_t *catches; } *table; const char *name; };
struct exception { const struct { void *destroy[2]; const char *(*what)(const struct exception *); } *table; };

typedef const struct type *current_type_t(void);
typedef void current_exception_t(void **object);         /* std::exception_ptr is one pointer, given back in memory */
typedef char *demangle_t(const char *, char *, size_t *, int *);

/* ---- is it std::terminate that aborts, and who called it? ---- */

/* Where nothing may be thrown, libstdc++ does not call std::terminate, but what that calls, which has no name outside. */
enum { TERMINATE, NAMES = 4 };
static const char *const names[NAMES] = {[TERMINATE] = "_ZSt9terminatev", "__gxx_personality_v0", "__cxa_call_terminate",
                                         "__cxa_call_unexpected"};

struct search { uint64_t functions[NAMES], place; bool found, by_program; };

static void *library_of(uint64_t address)
{
    Dl_info info = {0};
    return dladdr((void *)address, &info) ? info.dli_fbase : NULL;
}

static bool is_system(uint64_t address)
{
    const struct rt_code *code = rt_core ? rt_code_at(address) : NULL;
    return code && code->system;
}

static void look_for(struct search *search, uint64_t function)
{
    int i = 0;
    while (i < NAMES && (!function || function != search->functions[i]))
        i++;
    search->found = i < NAMES;
    search->by_program = i == TERMINATE;                 /* unless it is the library that called it */
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *self)
{
    struct search *search = self;
    uint64_t pc = _Unwind_GetIP(context);
    if (!search->found) {
        look_for(search, _Unwind_GetRegionStart(context));
        return _URC_NO_REASON;
    }
    bool library = library_of(pc - 1) == library_of(search->functions[TERMINATE]);
    search->by_program &= !library;
    if (library || is_system(pc - 1))
        return _URC_NO_REASON;
    search->place = pc;
    return _URC_END_OF_STACK;
}

static struct search find_terminate(void)
{
    struct search search = {.found = false};
    enum rt_mode mode = rt_mode;
    for (int i = 0; i < NAMES && (i == 0 || search.functions[TERMINATE]); i++)
        search.functions[i] = (uint64_t)dlsym(RTLD_DEFAULT, names[i]);
    rt_mode = RT_REAL;                                   /* what the unwinder calls must be no operation */
    if (search.functions[TERMINATE])
        _Unwind_Backtrace(look, &search);
    rt_mode = mode;
    return search;
}

/* ---- what it says ---- */

/* What may fail is given up then, as are operations in it: it is not the program that calls it. */
static void *back[5];
static bool  trying;

void rt_exception_failed(void)
{
    if (trying)
        __builtin_longjmp(back, 1);
}

static __attribute__((noinline)) const char *try_what(const struct exception *volatile e)
{
    enum rt_mode volatile mode = rt_mode;
    const char *volatile what = "";
    trying = true;
    rt_mode = RT_REAL;
    if (__builtin_setjmp(back) == 0) {
        const char *text = e->table->what(e);
        what = text && rt_length(text, RT_WORDS) ? text : "";
    } else
        what = "";
    rt_mode = mode;
    trying = false;
    return what;
}

/* ---- in words ---- */

static void add(char words[RT_WORDS], const char *text)
{
    uint32_t used = rt_length(words, RT_WORDS - 1), length = rt_length(text, RT_WORDS);
    if (length >= RT_WORDS - used)
        for (length = RT_WORDS - 1 - used; length && (text[length] & 0xc0) == 0x80;)     /* between characters of UTF-8 */
            length--;
    for (uint32_t i = 0; i < length; i++)
        words[used + i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
    words[used + length] = 0;
}

static void add_exception(char words[RT_WORDS], const struct type *thrown)
{
    current_exception_t *current = (current_exception_t *)dlsym(RTLD_DEFAULT, "_ZSt17current_exceptionv");
    demangle_t *demangle = (demangle_t *)dlsym(RTLD_DEFAULT, "__cxa_demangle");
    const struct type *standard = dlsym(RTLD_DEFAULT, "_ZTISt9exception");
    const char *name = thrown->name + (*thrown->name == '*');
    const char *readable = demangle ? demangle(name, NULL, NULL, NULL) : NULL;
    void *object = NULL;
    add(words, readable ? readable : name);
    if (current)
        current(&object);
    if (!object || !standard || !standard->table->catches(standard, thrown, &object, 1))
        return;
    const char *what = try_what(object);
    if (*what)
        add(words, ": ");
    add(words, what);
}

uint64_t rt_exception(char words[RT_WORDS])
{
    struct search search = find_terminate();
    words[0] = 0;
    if (!search.found)
        return 0;
    current_type_t *current = (current_type_t *)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    const struct type *thrown = current ? current() : NULL;
    add(words, !thrown ? "std::terminate was called"
                       : search.by_program ? "std::terminate was called after exception " : "uncaught exception ");
    if (thrown)
        add_exception(words, thrown);
    return search.place;
}
