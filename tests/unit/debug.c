/* gdb on live programs: stacks, variables and lines of every process, in C and C++, with memory of their own, threads, and forks;
 * and what happens when gdb, the host of the live copy, or the program is killed in between. Each case is a list of commands with
 * what must come of them.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "base/prose.h"
#include "report/run.h"
#include "scratch.h"
#include "simulator/debug.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures;

/* Commands, with the process counted from 1:
 *   go P [CHOICE]      at N        stack P         locals P [FRAME]        print P FRAME EXPRESSION
 *   step P  next P     of the last event, which is P's           leave         kill gdb|verisoft-live|program */
struct demand { const char *command, *wanted; };         /* wanted NULL: whatever it says, it must be no error */

struct trial {
    const char   *source;
    bool          group, preload;
    struct demand lines[64];
};

struct stage {
    const struct trial *trial;
    struct job     job;
    struct run     run;
    struct trace   trace;
    uint32_t       at;
    struct debug  *debug;
};

/* ---- what is said, in short ---- */

/* Addresses differ from machine to machine: 0x, and nothing of where that is. */
static void forget_addresses(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        bool address = from[0] == '0' && from[1] == 'x';
        *to++ = *from++;
        if (!address)
            continue;
        *to++ = *from++;
        while (isxdigit((unsigned char)*from))
            from++;
        if (from[0] == ' ' && from[1] == '<')
            from = strchr(from, '>') + 1;
    }
    *to = '\0';
}

static const char *text_of(const json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }

static void say_stack(struct prose *said, const json_t *frames)
{
    size_t i;
    json_t *frame;
    json_array_foreach(frames, i, frame) {
        const char *path = text_of(frame, "path");
        int level = (int)json_integer_value(json_object_get(frame, "level"));
        int line = (int)json_integer_value(json_object_get(frame, "line"));
        prose_add(said, "%s%s:%d", i ? " " : "", text_of(frame, "function"), line);
        if (level != (int)i || !path || path[0] != '/' || !text_of(frame, "file"))
            prose_add(said, " (wrong)");
    }
}

static void say_variables(struct prose *said, const json_t *variables)
{
    size_t i;
    json_t *v;
    json_array_foreach(variables, i, v)
        prose_add(said, "%s%s%s: %s = %s", i ? "; " : "", json_is_true(json_object_get(v, "argument")) ? "argument " : "",
                  text_of(v, "name"), text_of(v, "type"), text_of(v, "value"));
}

static void say_inside(struct prose *said, const struct inside *inside)
{
    const char *name = inside->file ? strrchr(inside->file, '/') : NULL;
    if (inside->process < 0)
        prose_add(said, "arrived");
    else
        prose_add(said, "%s:%d %s", name ? name + 1 : inside->file, inside->line, inside->function);
}

/* ---- processes ---- */

/* The letter of its state; 0: there is no such process. */
static char look_up(pid_t pid, pid_t *parent, char *name)
{
    char path[64], text[512] = "", state = 0;
    int number = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t got = fread(text, 1, sizeof text - 1, file);
    text[got] = '\0';
    fclose(file);
    char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || sscanf(end + 1, " %c %d", &state, &number) != 2)
        return 0;
    snprintf(name, 32, "%.*s", (int)(end - begin - 1), begin + 1);
    *parent = number;
    return state;
}

/* Those of this name (NULL: all), into `found`. Gives how many. */
static int children(pid_t of, const char *wanted, pid_t found[MAX_PROCESSES])
{
    DIR *all = opendir("/proc");
    struct dirent *entry;
    int count = 0;
    while ((entry = readdir(all)) && count < MAX_PROCESSES) {
        pid_t pid = atoi(entry->d_name), parent;
        char name[32];
        if (pid > 0 && look_up(pid, &parent, name) && parent == of && (!wanted || !strcmp(name, wanted)))
            found[count++] = pid;
    }
    closedir(all);
    return count;
}

static void kill_some(struct prose *said, const char *whom)
{
    pid_t found[MAX_PROCESSES] = { 0 };
    int count = 0, killed = 0;
    if (strcmp(whom, "program"))
        count = children(getpid(), whom, found);
    else if (children(getpid(), "verisoft-live", found))
        count = children(found[0], NULL, found);
    for (int i = 0; i < count; i++)
        killed += kill(found[i], SIGKILL) == 0;
    struct timespec moment = { .tv_nsec = 50000000 };
    nanosleep(&moment, NULL);
    if (!killed)
        prose_add(said, "error: nobody to kill");
}

/* ---- one command ---- */

static void go(struct stage *s, struct prose *said, int process, uint32_t choice)
{
    struct err err;
    s->trace.count = s->at < s->trace.count ? s->at : s->trace.count;
    if (process >= s->run.system->processes || !(s->run.system->enabled >> process & 1))
        prose_add(said, "error: it cannot go");
    else if (trace_execute(&s->trace, s->run.system, process, choice, &err) < 0)
        prose_add(said, "error: %s", err.text);
    s->at = s->trace.count;
}

static void stride(struct stage *s, struct prose *said, int process, enum stride how)
{
    struct inside inside;
    struct err err;
    if (debug_stride(s->debug, &s->trace, s->at, process, how, &inside, &err) < 0)
        prose_add(said, "error: %s", err.text);
    else
        say_inside(said, &inside);
}

/* Next, until it is at this line: which lines a compiler tells of on the way, and where a debugger stops on its way out of a function,
 * differs. */
static void reach(struct stage *s, struct prose *said, int process, int line)
{
    enum { MOST = 4 };
    for (int i = 0; i < MOST; i++) {
        struct prose here = { 0 };
        char wanted[16];
        snprintf(wanted, sizeof wanted, ":%d ", line);
        stride(s, &here, process, STRIDE_NEXT);
        bool there = here.text && strstr(here.text, wanted);
        if (there || i == MOST - 1)
            prose_add(said, "%s", here.text ? here.text : "");
        prose_fini(&here);
        if (there)
            return;
    }
}

static void ask(struct stage *s, struct prose *said, const char *word, int process, int number, const char *rest)
{
    struct err err = { .text = "?" };
    json_t *answer;
    bool cut;
    if (!strcmp(word, "stack"))
        say_stack(said, answer = debug_stack(s->debug, &s->trace, s->at, process, &cut, &err));
    else if (!strcmp(word, "locals"))
        say_variables(said, answer = debug_locals(s->debug, &s->trace, s->at, process, number, &err));
    else if ((answer = debug_print(s->debug, &s->trace, s->at, process, number, rest, &err)))
        prose_add(said, "%s: %s", text_of(answer, "type"), text_of(answer, "value"));
    if (!answer)
        prose_add(said, "error: %s", err.text);
    json_decref(answer);
}

static void obey(struct stage *s, struct prose *said, const char *command)
{
    char word[16] = "", whom[32] = "";
    int process = 0, number = 0, rest = 0;
    struct err err;
    if (sscanf(command, "%15s %d %d %n", word, &process, &number, &rest) < 2)
        sscanf(command, "%15s %31s", word, whom);
    if (!strcmp(word, "go"))
        go(s, said, process - 1, (uint32_t)number);
    else if (!strcmp(word, "at"))
        s->at = (uint32_t)process;
    else if (!strcmp(word, "step"))
        stride(s, said, process - 1, STRIDE_STEP);
    else if (!strcmp(word, "next"))
        stride(s, said, process - 1, STRIDE_NEXT);
    else if (!strcmp(word, "reach"))
        reach(s, said, process - 1, number);
    else if (!strcmp(word, "kill"))
        kill_some(said, whom);
    else if (strcmp(word, "leave"))
        ask(s, said, word, process - 1, number, command + rest);
    else if (debug_leave(s->debug, &err) < 0)
        prose_add(said, "error: %s", err.text);
}

/* Word for word, or up to a star at the end. What clang calls by its full name ($_0 is a lambda) counts by its short one. */
static bool is_wanted(const char *said, const char *wanted)
{
    static const char lambda[] = "main::$_0::";
    size_t length = strlen(wanted);
    for (; *said && *wanted; said++, wanted++, length--) {
        if (!strncmp(said, lambda, sizeof lambda - 1))
            said += sizeof lambda - 1;
        if (*wanted == '*' && length == 1)
            return true;
        if (*said != *wanted)
            return false;
    }
    return *said == *wanted;
}

static void check_line(struct stage *s, const struct demand *line)
{
    struct prose said = { 0 };
    prose_add(&said, "%s", "");
    obey(s, &said, line->command);
    forget_addresses(said.text);
    bool right = line->wanted ? is_wanted(said.text, line->wanted) : strncmp(said.text, "error", 5) != 0;
    if (!right) {
        printf("%s, line %d: %s\n    %s\n  not %s\n", s->trial->source, (int)(line - s->trial->lines), line->command, said.text,
               line->wanted ? line->wanted : "an error");
        failures++;
    }
    prose_fini(&said);
}

/* ---- one program ---- */

static int compile(const struct trial *t, const char *program)
{
    char command[2 * PATH_MAX];
    const char *b = getenv("B") ? getenv("B") : "build";
    bool cxx = strstr(t->source, ".cc") != NULL;
    const char *compiler = getenv(cxx ? "CXX" : "CC");
    snprintf(command, sizeof command, "%s -g %s-w -DVERIFY -Iinclude %s %s%s -o %s -lpthread", compiler ? compiler : cxx ? "g++" : "gcc",
             compiler && strstr(compiler, "clang") ? "-fstandalone-debug " : "", t->source, t->preload ? "" : b, t->preload ? "" : "/verisoft-rt.o", program);
    return system(command);
}

static void nothing_left(const struct trial *t)
{
    pid_t pid = waitpid(-1, NULL, WNOHANG);
    if (pid >= 0 || errno != ECHILD) {
        printf("%s: a process is left (%d)\n", t->source, (int)pid);
        failures++;
    }
}

static void try(const struct trial *t, const char *folder)
{
    char program[PATH_MAX + 16], library[PATH_MAX];
    struct err err;
    struct texts *texts = texts_new();
    snprintf(program, sizeof program, "%s/program", folder);
    snprintf(library, sizeof library, "%s/libverisoft.so", getenv("B") ? getenv("B") : "build");
    struct stage s = { .trial = t, .job = { .name = t->source, .self = "verisoft", .options = "", .program_arguments = "" } };
    s.job.native = (struct native_settings){ .executable = program, .output = -1, .input = -1, .group = t->group,
                                             .preload = t->preload ? library : NULL };
    trace_init(&s.trace);
    if (compile(t, program) || run_start(&s.run, &s.job, RUN_FOLLOW, -1, texts, &err) < 0) {
        printf("%s: cannot be run: %s\n", t->source, err.text);
        failures++;
    } else {
        s.debug = debug_new(&s.job);
        for (const struct demand *line = t->lines; line->command; line++)
            check_line(&s, line);
        debug_free(s.debug);
        run_stop(&s.run);
        nothing_left(t);
    }
    trace_fini(&s.trace);
    texts_free(texts);
    unlink(program);
}

static const char HOT[] = "message: char * = 0x \"room_is_hot\"; is_room_hot: int = 1; is_door_closed: int = 1; ac: int = 0";

static const struct trial trials[] = {
    { .source = "examples/ac-controller/main.c", .lines = {
        { "stack 1", "AC_controller:54 main:36" },
        { "stack 2", "Environment:89 main:32" },
        { "print 1 0 ac", "int: 0" },
        { "print 1 0 from_me", "int: 0" },
        { "print 2 0 from_me", "int: 1" },
        { "step 2", "error: process 2 is not in a transition here" },
        { "go 2 1", "" },
        { "step 2", "main.c:92 Environment" },
        { "stack 2", "Environment:92 main:32" },
        { "stack 1", "AC_controller:54 main:36" },
        { "print 2 0 message", "char *: 0x \"\"" },
        { "next 2", "main.c:93 Environment" },
        { "print 2 0 message", "char *: 0x \"room_is_hot\"" },
        { "next 2", "main.c:100 Environment" },
        { "next 2", "arrived" },
        { "stack 2", "Environment:100 main:32" },
        { "go 2", "" },
        { "reach 2 89", "main.c:89 Environment" },
        { "go 1", "" },
        { "step 1", "main.c:56 AC_controller" },
        { "step 1", "main.c:57 AC_controller" },
        { "print 1 0 is_room_hot", "int: 0" },
        { "step 1", "main.c:60 AC_controller" },
        { "print 1 0 is_room_hot", "int: 1" },
        { "leave", "" },
        { "stack 1", "AC_controller:77 main:36" },
        { "locals 1", HOT },
        { "locals 1 1", "i: int = 0" },
        { "at 0", "" },
        { "print 1 0 is_room_hot", "int: 0" },
        { "at 3", "" },
        { "print 1 0 is_room_hot", "int: 1" },
        { "print 1 0 nosuch", "error: No symbol \"nosuch\" in current context." },
        { "print 1 0 1 +", "error: A syntax error in expression, near *" },
        { "print 1 0 strlen(message)", "error: Cannot call functions in the program: may-call-functions is off." },
        { "print 1 0 ac = 1", "error: ac = 1: an expression that changes the program cannot be printed, for then it would not be where "
                              "the trace stands" },
        { "print 1 0 ac == 0 && ac <= 1 && ac != 2", "int: 1" },
        { "print 1 0 \"a = b\"", "char [6]: \"a = b\"" },
        { "print 1 0 ", "error: print what? A C expression, for instance the name of a variable" },
        { "locals 1 2", "error: process 1 has no frame 2; it has 0 to 1" },
        { "stack 3", "error: process 3 has ended, or has not begun: there is nothing to look into" },
    } },
    { .source = "examples/philosophers.c", .lines = {
        { "stack 1", NULL }, { "go 1", "" }, { "step 1", NULL }, { "go 2", "" }, { "next 2", NULL }, { "locals 2", NULL },
        { "leave", "" },
        { "stack 2", NULL }, { "at 0", "" }, { "locals 2", NULL },
    } },
    { .source = "tests/unit/programs/threads.c", .group = true, .lines = {
        { "stack 1", "" },
        { "locals 1", "" },
        { "locals 1 1", "error: process 1 has no frame 1: it is not in its own code" },
        { "print 1 0 accounts[1].balance", "int: 20" },
        { "go 1", "" },
        { "next 1", "threads.c:32 main" },
        { "next 1", "threads.c:33 main" },
        { "go 1", "" }, { "go 1", "" }, { "go 2", "" },
        { "step 2", "threads.c:20 worker" },
        { "step 2", "threads.c:21 worker" },
        { "step 2", "threads.c:22 worker" },
        { "print 2 0 *mine", "struct account: {balance = 10, owner = 0x \"ann\", at = {x = 1, y = 2}}" },
        { "leave", "" },
        { "go 3", "" }, { "go 2", "" },
        { "step 2", "threads.c:23 worker" },
        { "step 2", "threads.c:14 twice" },
        { "stack 2", "twice:14 worker:23" },
        { "print 2 0 n", "int: 10" },
        { "print 2 1 mine->owner", "const char *: 0x \"ann\"" },
        { "step 2", "threads.c:15 twice" },
        { "print 2 0 result", "int: 20" },
        { "reach 2 24", "threads.c:24 worker" },
        { "next 2", "threads.c:25 worker" },
        { "stack 3", "worker:22" },
        { "print 3 0 *mine", "struct account: {balance = 20, owner = 0x \"bob\", at = {x = 3, y = 4}}" },
        { "print 3 0 counter", "int: 20" },
        { "print 1 0 accounts", "struct account [2]: {{balance = 10, owner = 0x \"ann\", at = {x = 1, y = 2}}, "
                                "{balance = 20, owner = 0x \"bob\", at = {x = 3, y = 4}}}" },
        { "next 2", "arrived" },
        { "stack 2", "worker:25" },
        { "go 2", "" },
        { "next 2", "threads.c:26 worker" },
        { "leave", "" },
        { "go 3", "" },
        { "next 3", "threads.c:23 worker" },
        { "next 3", "threads.c:24 worker" },
        { "print 3 0 sum", "int: 40" },
        { "at 4", "" },
        { "print 2 0 sum", "int: 0" },
        { "stack 1", "main:36" },
    } },
    { .source = "tests/unit/programs/threads.c", .group = true, .preload = true, .lines = {
        { "go 1", "" }, { "go 1", "" }, { "go 1", "" }, { "go 2", "" }, { "go 2", "" },
        { "step 2", "threads.c:23 worker" },
        { "step 2", "threads.c:14 twice" },
        { "stack 2", "twice:14 worker:23" },
        { "leave", "" },
        { "stack 2", "worker:25" },
        { "stack 1", "main:36" },
    } },
    { .source = "tests/unit/programs/objects.cc", .group = true, .lines = {
        { "go 1", "" }, { "go 1", "" }, { "go 2", "" },
        { "step 2", "objects.cc:29 operator()" },
        { "step 2", "objects.cc:15 Counter::add" },
        { "step 2", "arrived" },
        { "stack 2", "Counter::add:15 operator():29" },
        { "go 2", "" },
        { "next 2", "objects.cc:16 Counter::add" },
        { "print 2 0 values", "std::vector<int, std::allocator<int> >: std::vector of length 0, capacity 0" },
        { "step 2", "objects.cc:17 Counter::add" },
        { "print 2 0 values", "std::vector<int, std::allocator<int> >: std::vector of length 1, capacity 1 = {5}" },
        { "print 2 0 this->name", "std::string: \"total\"" },
        { "print 2 0 v", "int: 5" },
        { "leave", "" },
        { "go 2", "" },
        { "next 2", NULL },
        { "leave", "" },
        { "stack 2", "Counter::add:15 operator():31" },
        { "print 2 1 got", "int: 6" },
    } },
    { .source = "tests/unit/programs/forks.c", .group = true, .lines = {
        { "go 1", "" }, { "go 1", "" }, { "go 1", "" }, { "go 1", "" }, { "go 1", "" },
        { "stack 1", NULL },
        { "go 2", "" },
        { "next 2", "forks.c:30 main" },
        { "step 2", "forks.c:14 child" },
        { "step 2", "forks.c:15 child" },
        { "leave", "" },
        { "print 2 0 level", "int: 10" },
        { "print 1 0 level", "int: 7" },
        { "go 3", "" }, { "go 2", "" },
        { "next 2", "forks.c:17 child" },
        { "print 3 0 shared->value", "int: 0" },
        { "next 2", "forks.c:18 child" },
        { "print 3 0 shared->value", "int: 10" },
        { "locals 3", "argument number: int = 2; mine: int = 20" },
        { "next 2", "forks.c:19 child" },
        { "next 2", "arrived" },
        { "go 2", "" },
        { "next 2", "forks.c:20 child" },
        { "next 2", "arrived" },
        { "go 2", "" },
        { "next 2", "arrived" },
        { "go 1", "" },
        { "next 1", NULL },
        { "print 1 0 status", "int: 256" },
    } },
    { .source = "tests/unit/programs/odd.c", .lines = {
        { "stack 2", "down:16 down:17 down:17 down:17 main:37" },
        { "print 2 3 n", "int: 3" },
        { "print 2 0 list[0]", "struct node: {value = 1, next = 0x, number = {i = 0, f = 0}, color = GREEN, "
                               "name = \"one\\000\\000\\000\\000\", bits = 5}" },
        { "print 2 0 list[0].next->name", "char [8]: \"two\\000\\000\\000\\000\"" },
        { "print 2 0 list[0].color == GREEN", "int: 1" },
        { "print 2 0 big", "int [100000]: {0 <repeats 100000 times>}" },
        { "print 2 0 *(int *)0", "error: Cannot access memory at address 0x" },
        { "go 2 1", "" },
        { "next 2", "odd.c:18 down" },
        { "leave", "" },
        { "stack 2", "compare:23 main:38" },
        { "locals 2 1", NULL },
        { "go 2", "" },
        { "step 2", "odd.c:24 compare" },
        { "reach 2 39", "odd.c:39 main" },
        { "leave", "" },
        { "go 2", "" },
        { "next 2", "odd.c:30 crash" },
        { "next 2", "arrived" },
        { "stack 2", "crash:30 main:39" },
        { "locals 2", "argument where: int * = 0x" },
    } },
    { .source = "tests/unit/programs/many.c", .lines = {
        { "print 1 0 x", "int: 10" }, { "print 2 0 x", "int: 20" }, { "print 3 0 x", "int: 30" },
        { "print 4 0 x", "int: 40" }, { "print 5 0 x", "int: 50" }, { "print 6 0 x", "int: 60" },
        { "print 7 0 x", "int: 70" }, { "print 8 0 x", "int: 80" }, { "print 9 0 x", "int: 90" },
        { "print 10 0 x", "int: 100" },
        { "go 10", "" }, { "next 10", "many.c:13 main" },
        { "print 1 0 x", "int: 10" }, { "print 2 0 x", "int: 20" }, { "print 3 0 x", "int: 30" },
        { "print 4 0 x", "int: 40" }, { "print 5 0 x", "int: 50" }, { "print 6 0 x", "int: 60" },
        { "print 7 0 x", "int: 70" }, { "print 8 0 x", "int: 80" }, { "print 9 0 x", "int: 90" },
        { "print 10 0 x", "int: 100" },
        { "next 10", NULL }, { "leave", "" }, { "print 10 0 x", "int: 100" },
    } },
    { .source = "examples/ac-controller/main.c", .lines = {
        { "go 2 1", "" }, { "go 2", "" }, { "go 1", "" },
        { "stack 1", NULL }, { "kill gdb", "" }, { "stack 1", "AC_controller:77 main:36" },
        { "kill verisoft-live", "" }, { "stack 2", "Environment:89 main:32" },
        { "kill program", "" }, { "locals 1", HOT },
        { "step 1", "main.c:56 AC_controller" }, { "kill gdb", "" }, { "step 1", "main.c:56 AC_controller" },
        { "step 1", "main.c:57 AC_controller" }, { "kill gdb", "" }, { "locals 1", HOT },
        { "step 1", "main.c:56 AC_controller" }, { "kill verisoft-live", "" }, { "step 1", "main.c:56 AC_controller" },
        { "kill program", "" }, { "step 1", "main.c:56 AC_controller" }, { "kill program", "" }, { "leave", "" },
        { "locals 1", HOT },
        { "kill gdb", "" }, { "kill verisoft-live", "" }, { "stack 1", "AC_controller:77 main:36" },
        { "step 1", NULL }, { "kill gdb", "" },
    } },
    { .source = "tests/unit/programs/threads.c", .group = true, .lines = {
        { "go 1", "" }, { "go 1", "" }, { "go 1", "" }, { "go 2", "" },
        { "stack 2", "worker:22" }, { "kill gdb", "" }, { "stack 2", "worker:22" },
        { "kill verisoft-live", "" }, { "stack 1", "main:36" },
        { "kill program", "" }, { "stack 2", "worker:22" },
        { "step 2", "threads.c:20 worker" }, { "kill gdb", "" }, { "step 2", "threads.c:20 worker" },
        { "kill program", "" }, { "step 2", "threads.c:20 worker" }, { "kill program", "" }, { "leave", "" },
        { "stack 2", "worker:22" },
        { "step 2", NULL }, { "kill verisoft-live", "" }, { "stack 2", "worker:22" },
    } },
};

int main(int count, char **words)
{
    char folder[SCRATCH_ROOM];
    if (!debug_possible()) {
        printf("gdb is not installed\n");
        return 77;
    }
    if (!scratch_folder(folder, "debug")) {
        perror(folder);
        return 1;
    }
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (count < 2 || strstr(trials[i].source, words[1]))
            try(&trials[i], folder);
    rmdir(folder);
    return failures != 0;
}
