/* SPDX-License-Identifier: MIT */
#include "cli/plan.h"

#include "base/memory.h"
#include "base/prose.h"
#include "cli/compile.h"
#include "cli/config.h"
#include "cli/input.h"
#include "cli/several.h"
#include "cli/signals.h"
#include "cli/test.h"
#include "objects/types.h"
#include "properties/invariant.h"
#include "report/suppressions.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANDOM_STATES = 100000, RANDOM_SEED = 1 };                /* of the random search, unless given */
enum { GROUP_DEPTH = 2000 };         /* of a program with threads, unless given */
enum { LONGEST_EXECUTION = 20000 };  /* of one of which a certificate is wanted */

static int64_t number(const struct settings *s, enum option_id id)
{
    return s->values[id].number;
}

/* Strategy and reduction must go together: the one that was asked for less explicitly gives way. */
static int choose(const struct settings *s, struct search_settings *search, struct err *err)
{
    enum origin strategy = s->values[OPTION_search].origin, reduction = s->values[OPTION_reduction].origin;
    bool certificate = s->values[OPTION_certificate].text || s->values[OPTION_invariant].list.count;
    bool states = certificate || number(s, OPTION_cache);
    search->strategy  = states && strategy == FROM_DEFAULT ? SEARCH_STATEFUL : number(s, OPTION_search);
    search->reduction = number(s, OPTION_reduction);
    search->accountable = s->values[OPTION_certificate].text && reduction != FROM_DEFAULT
                       && (search->reduction == REDUCTION_SOURCE || search->reduction == REDUCTION_OPTIMAL);
    if (search->accountable && strategy == FROM_DEFAULT)
        search->strategy = SEARCH_DFS;
    if (s->values[OPTION_cluster].text && strategy == FROM_DEFAULT)
        search->strategy = SEARCH_DFS;
    if (states && reduction == FROM_DEFAULT)
        search->reduction = REDUCTION_NONE;
    if (search_refuses(search->strategy, search->reduction) && reduction < strategy)
        search->reduction = REDUCTION_NONE;
    if (search_refuses(search->strategy, search->reduction) && strategy < reduction)
        search->strategy = SEARCH_ITERATIVE;
    const char *why = search_refuses(search->strategy, search->reduction);
    return why ? fail(err, "--search %s --reduction %s: %s", search_strategy_names[search->strategy],
                      search_reduction_names[search->reduction], why) : 0;
}

static uint32_t depth(const struct settings *s, const struct search_settings *search)
{
    bool ends_by_itself = search->strategy == SEARCH_AUTO || search_keeps_states(search->strategy);
    if (settings_given(s, OPTION_max_depth))
        return (uint32_t)number(s, OPTION_max_depth);
    return ends_by_itself ? 0 : search->accountable ? LONGEST_EXECUTION : (uint32_t)number(s, OPTION_max_depth);
}

/* Only a search that enters every state, and takes every transition, sees where an invariant is false. */
static int read_invariants(struct plan *p, struct err *err)
{
    const struct words *all = &p->request.settings.values[OPTION_invariant].list;
    const struct search_settings *s = &p->job.search;
    int bad = 0;
    if (!all->count)
        return 0;
    if (s->strategy != SEARCH_RANDOM && !search_enters_all(s->reduction))
        return fail(err, "--invariant %s: the reduction %s leaves out states; use --reduction none, or sleep", all->items[0],
                    search_reduction_names[s->reduction]);
    p->invariants = invariants_new();
    for (uint32_t i = 0; i < all->count && !bad; i++)
        bad = invariants_add(p->invariants, all->items[i], err);
    if (bad || !invariants_of_transitions(p->invariants))
        return bad;
    bool broad = s->strategy == SEARCH_BFS || s->strategy == SEARCH_ESTIMATE || (s->strategy == SEARCH_STATEFUL && s->max_depth);
    if (broad || (s->strategy != SEARCH_RANDOM && s->reduction != REDUCTION_NONE))
        return fail(err, "--invariant: next() is about every transition, of which this search leaves some out; use --search stateful without "
                    "max_depth, or --search dfs --reduction none");
    return 0;
}

static int read_suppressions(struct plan *p, struct err *err)
{
    const char *file = p->request.settings.values[OPTION_suppressions].text;
    p->suppressions = file ? suppressions_read(file, err) : NULL;
    return file && !p->suppressions ? -EINVAL : 0;
}

/* Of which searches is there a certificate? */
static int check_certificate(const struct settings *s, const struct search_settings *search, struct err *err)
{
    const char *file = s->values[OPTION_certificate].text;
    if (!file)
        return s->values[OPTION_trustful].number ? fail(err, "--trustful: is about the certificate that --certificate FILE.scc asks for") : 0;
    bool tree = search->accountable && search->strategy == SEARCH_DFS;
    if (!tree && (search->strategy != SEARCH_STATEFUL || search->reduction != REDUCTION_NONE))
        return fail(err, "--certificate %s: there are certificates of --search stateful without a reduction, and of --search dfs with --reduction "
                    "source or optimal", file);
    if (tree && s->values[OPTION_trustful].number)
        return fail(err, "--trustful: of a reduced search there is no certificate that leaves out what is not new; use --search stateful");
    if (settings_given(s, OPTION_max_depth))
        return fail(err, "--certificate %s: a certificate is of the whole search, and max_depth %u would cut it; leave it out", file,
                    search->max_depth);
    if (s->values[OPTION_init_path].text)
        return fail(err, "--certificate %s: a certificate begins where the program begins; leave out init_path", file);
    return 0;
}

/* Which searches can be divided between the machines of a cluster? */
static int check_cluster(const struct settings *s, const struct search_settings *search, struct err *err)
{
    const char *why = s->values[OPTION_cluster].text ? search_refuses_dispatch(search->strategy, search->reduction) : NULL;
    if (!s->values[OPTION_cluster].text)
        return settings_given(s, OPTION_tasks) ? fail(err, "--tasks: is about the cluster that --cluster asks for") : 0;
    if (why)
        return fail(err, "--cluster: %s", why);
    if (s->values[OPTION_certificate].text || number(s, OPTION_save_state_space) || search->shuffle || s->values[OPTION_outside].list.count)
        return fail(err, "--cluster: who saves the state space, writes a certificate, tosses in a random order or leaves something outside is to see each step in its order; "
                    "leave out one of the two");
    return 0;
}

/* Only a depth-first search that keeps states has a use for a cache of them. */
static int check_cache(const struct settings *s, const struct search_settings *search, struct err *err)
{
    if (!search->cache)
        return settings_given(s, OPTION_cache_policy) ? fail(err, "--cache-policy: is about the cache that --cache asks for") : 0;
    if (search->strategy != SEARCH_STATEFUL)
        return fail(err, "--cache: is for --search stateful alone, not for %s", search_strategy_names[search->strategy]);
    if (search->max_depth)
        return fail(err, "--cache: within max_depth %u states are searched breadth first, which needs them all; leave out one of the two",
                    search->max_depth);
    return 0;
}

static int check_estimate(const struct settings *s, const struct search_settings *search, struct err *err)
{
    if (search->strategy != SEARCH_ESTIMATE)
        return 0;
    if (search->max_depth)
        return fail(err, "--search estimate: is about the whole state space, and max_depth %u would cut it; leave it out", search->max_depth);
    if (number(s, OPTION_save_state_space))
        return fail(err, "--search estimate: saves no state space; use --search bfs, or leave out save_state_space");
    return 0;
}

int plan_search(const struct settings *s, struct search_settings *search, struct err *err)
{
    *search = (struct search_settings){
        .depth_incr      = number(s, OPTION_depth_incr),
        .stop_at_state   = number(s, OPTION_stop_at_state),
        .memory_limit    = number(s, OPTION_memory_limit),
        .time_limit      = number(s, OPTION_search) == SEARCH_ESTIMATE ? 1000 * number(s, OPTION_time_limit) : 0,
        .cache           = number(s, OPTION_cache),
        .cache_in_bytes  = s->values[OPTION_cache].in_bytes,
        .cache_policy    = number(s, OPTION_cache_policy),
        .livelock_limit  = number(s, OPTION_livelock_limit),
        .ignore_deadlock = number(s, OPTION_ignore_deadlock),
        .shuffle         = settings_given(s, OPTION_random_seed),
        .seed            = settings_given(s, OPTION_random_seed) ? number(s, OPTION_random_seed) : RANDOM_SEED,
        .interrupt       = signals_interrupt(),
        .helpers.jobs    = (int)number(s, OPTION_jobs),
    };
    int failed = choose(s, search, err);
    search->max_depth = depth(s, search);
    if (search->accountable && !settings_given(s, OPTION_livelock_limit))
        search->livelock_limit = 0;  /* in no certificate is anything said of livelocks */
    if (search->strategy == SEARCH_RANDOM && !settings_given(s, OPTION_stop_at_state))
        search->stop_at_state = RANDOM_STATES;
    if (!failed && search->strategy == SEARCH_STATEFUL && search->reduction == REDUCTION_SLEEP && search->max_depth)
        failed = fail(err, "--search stateful --reduction sleep: within max_depth %u states are searched breadth first, which does not combine "
                      "with sleep sets; leave out one of the two", search->max_depth);
    if (!failed)
        failed = check_cache(s, search, err);
    return failed ? failed : check_estimate(s, search, err);
}

/* The same for a program that turns out to be a sharing group. */
static void plan_group(const struct settings *s, struct job *job)
{
    struct search_settings *g = &job->group_search;
    *g = job->search;
    bool all_states = s->values[OPTION_certificate].text || s->values[OPTION_invariant].list.count || g->cache;
    if (!settings_given(s, OPTION_search) && !all_states)
        g->strategy = SEARCH_DFS;
    bool states = search_keeps_states(g->strategy);
    if (!settings_given(s, OPTION_reduction) && !all_states && !search_refuses(g->strategy, REDUCTION_OPTIMAL))
        g->reduction = REDUCTION_OPTIMAL;
    if (!settings_given(s, OPTION_max_depth) && !states && !g->accountable)
        g->max_depth = GROUP_DEPTH;
    g->depth_given = settings_given(s, OPTION_max_depth);
    g->shallow_first = !settings_given(s, OPTION_search) && !settings_given(s, OPTION_max_depth);
    if (!settings_given(s, OPTION_livelock_limit))
        g->livelock_limit = 0;
    assert(!search_refuses(g->strategy, g->reduction));
}

/* With what can it not be sound, or not be told, that something is run within the transitions of others? */
static int check_outside(const struct settings *s, const struct search_settings *search, const struct invariants *invariants, struct err *err)
{
    if (!s->values[OPTION_outside].list.count)
        return 0;
    if (search->reduction == REDUCTION_PERSISTENT && settings_given(s, OPTION_reduction))
        return fail(err, "--outside: persistent sets rest on declarations of who may do what, and who is moved outside is in none; use another "
                    "--reduction, such as optimal");
    if (s->values[OPTION_certificate].text)
        return fail(err, "--outside: a certificate is of all that a program does, and that would be outside of it; leave out --outside or --certificate");
    if (s->values[OPTION_init_path].text)
        return fail(err, "--outside: a scenario has the operations outside as steps of their own, and init_path would begin in the middle of a "
                    "transition; leave out --outside or init_path");
    if (invariants && invariants_of_transitions(invariants))
        return fail(err, "--outside: next() of an invariant is about single transitions, and many operations are one with --outside; leave out "
                    "--outside, or say it without next()");
    return 0;
}

static int load_objects(const struct words *files, struct err *err)
{
    for (uint32_t i = 0; i < files->count; i++) {
        int failed = types_load(files->items[i], err);
        if (failed)
            return failed;
    }
    return 0;
}

static int read_config(struct plan *p, struct err *err)
{
    const char *path = p->request.settings.values[OPTION_config].text;
    if (!path && access(CONFIG_NAME, F_OK))
        return 0;
    return config_load(path ? path : CONFIG_NAME, &p->request.settings, &p->structure, err);
}

static int look_at_files(const struct words *files, enum program_part *parts, struct err *err)
{
    for (uint32_t i = 0; i < files->count; i++) {
        parts[i] = PART_OBJECT;
        int failed = strcmp(files->items[i], SEVERAL_MARK) ? program_part(files->items[i], &parts[i], err) : 0;
        if (failed)
            return failed;
        if (parts[i] == PART_EXECUTABLE && files->count > 1 && !several_executables(files))
            return fail(err, "%s: is an executable; name it alone, or only the files it is made of", files->items[i]);
    }
    return 0;
}

/* Their libraries are there before the program begins, as those that an executable is linked with: what their constructors do is no operation. */
static void add_preloaded(struct plan *p, const struct words *libraries)
{
    struct prose all = { 0 };
    prose_add(&all, "%s", p->home.library);
    for (uint32_t i = 0; i < libraries->count; i++)
        prose_add(&all, ":%s", libraries->items[i]);
    p->preload = prose_take(&all);
}

/* The loader runs them, as a program that knows nothing of VeriSoft. */
static int use_executables(struct plan *p, struct err *err)
{
    const struct words *files = &p->request.program;
    for (uint32_t i = 0; i < files->count; i++)
        if (native_linked(files->items[i]))
            return fail(err, "%s: was linked with VeriSoft's runtime, and can only be checked alone; name the sources", files->items[i]);
    struct words usual = { 0 };
    int failed = home_find(&p->home, err);
    if (!failed)
        failed = scratch_open(&p->scratch, err);
    if (!failed)
        failed = several_load(files, &p->request.arguments, &p->scratch, &p->loaded, &usual, err);
    add_preloaded(p, &usual);
    words_fini(&usual);
    p->executable = words_copy(p->home.loader);
    p->stranger = true;
    return failed;
}

static int use_executable(struct plan *p, struct err *err)
{
    const struct words *unused = &p->request.compiler;
    if (unused->count)
        return fail(err, "%s: is for the compiler, but %s is compiled already", unused->items[0], p->request.program.items[0]);
    if (several_executables(&p->request.program))
        return use_executables(p, err);
    p->executable = words_copy(p->request.program.items[0]);
    p->stranger = !native_linked(p->executable);
    return p->stranger ? home_find(&p->home, err) : 0;
}

/* Is the program to tell of its accesses to memory, once it has threads? */
static bool is_watched(const struct settings *s)
{
    bool as_it_is = s->values[OPTION_certificate].text && !settings_given(s, OPTION_instrument);     /* whoever follows it runs that */
    return number(s, OPTION_instrument) && !as_it_is;
}

static int compile_watched(struct plan *p, const enum program_part *parts, bool *silent, struct err *err)
{
    const struct sources sources = { &p->request.program, parts, &p->request.compiler, true };
    int failed = compile(&sources, &p->scratch, &p->watched, silent, err);
    p->not_watched = failed == -ENOTSUP;
    return p->not_watched ? 0 : failed;
}

static bool mentions_threads(const struct words *given)
{
    for (uint32_t i = 0; i < given->count; i++)
        if (!strcmp(given->items[i], "-pthread") || !strcmp(given->items[i], "-lpthread"))
            return true;
    return false;
}

/* A program that will most likely have threads is made as it runs then, at once. But if the compiler has something to say, let it speak of what the user wrote. */
static int compile_first(struct plan *p, const struct command *command, const enum program_part *parts, struct err *err)
{
    const struct sources sources = { &p->request.program, parts, &p->request.compiler, false };
    bool silent = false, likely = command->options & (IN_CHECK | IN_REPLAY) && is_watched(&p->request.settings) && mentions_threads(&p->request.compiler);
    int failed = likely ? compile_watched(p, parts, &silent, err) : 0;
    if (failed)
        return failed;
    if (!p->watched || !silent)
        return compile(&sources, &p->scratch, &p->executable, NULL, err);
    p->executable = words_copy(p->watched);
    return 0;
}

static int prepare_program(struct plan *p, const struct command *command, struct err *err)
{
    const struct words *files = &p->request.program;
    enum program_part *parts = memory_get(files->count * sizeof *parts);
    int failed = several_check(files, err);
    if (!failed)
        failed = look_at_files(files, parts, err);
    if (!failed && parts[0] == PART_EXECUTABLE)
        failed = use_executable(p, err);
    else if (!failed && !(failed = scratch_open(&p->scratch, err)))
        failed = compile_first(p, command, parts, err);
    free(parts);
    return failed;
}

/* The same sources once more, when it shows that the program has threads or shares memory. What only processes with memory of their own
 * do needs none of it. */
static int make_watched(void *self, const char **executable, struct err *err)
{
    struct plan *p = self;
    const struct words *files = &p->request.program;
    enum program_part *parts = memory_get(files->count * sizeof *parts);
    int failed = p->watched || p->not_watched ? 0 : look_at_files(files, parts, err);
    if (!failed && !p->watched && !p->not_watched)
        failed = compile_watched(p, parts, NULL, err);
    free(parts);
    *executable = p->watched;
    return failed;
}

/* The simulator reads commands from its own standard input. */
static int prepare_input(struct plan *p, const struct command *command, struct err *err)
{
    const char *given = p->request.settings.values[OPTION_stdin].text;
    char *own = given || command->options & IN_SIMULATE ? NULL : input_own();
    if (own) {
        words_add(&p->request.repeated, "--stdin");
        words_add(&p->request.repeated, own);
    }
    int copy = given || own ? input_copy(given ? given : own, err) : 0;
    if (copy >= 0 && (given || own))
        p->input = copy;
    free(own);
    return copy < 0 ? copy : 0;
}

static int make_output_folder(const char *folder, struct err *err)
{
    struct stat s;
    if (!folder || !mkdir(folder, 0777))
        return 0;
    int error = errno;
    if (!stat(folder, &s) && S_ISDIR(s.st_mode))
        return 0;
    errno = error;
    return fail_errno(err, "--output %s: cannot make this folder", folder);
}

static void spell(struct plan *p, const char *self)
{
    struct words kept = { 0 }, command = { 0 };
    words_add(&command, self);
    words_add_all(&kept, &p->request.compiler);
    words_add_all(&kept, &p->request.repeated);
    p->self      = words_command(&command);
    p->name      = words_command(&p->request.program);
    p->options   = words_command(&kept);
    p->arguments = words_command(&p->request.arguments);
    words_fini(&kept);
    words_fini(&command);
}

static struct native_settings native(const struct plan *p)
{
    const struct settings *s = &p->request.settings;
    return (struct native_settings){
        .executable       = p->executable,
        .arguments        = p->loaded.count ? p->loaded.items : p->request.arguments.items,
        .environment      = s->values[OPTION_env].list.items,
        .divergence_limit = number(s, OPTION_divergence_limit),
        .sigusr2          = number(s, OPTION_sigusr2),
        .output           = -1,
        .input            = p->input,
        .group            = p->stranger,
        .preload          = p->preload ? p->preload : p->stranger ? p->home.library : NULL,
        .restart          = number(s, OPTION_restart),
        .visible          = p->visible,
        .plain_volatile   = number(s, OPTION_volatile) == VOLATILE_PLAIN,
        .spurious         = number(s, OPTION_spurious_wakeups),
        .timers_any       = number(s, OPTION_timers) == TIMER_ORDER_ANY,
        .timers_late      = number(s, OPTION_timers) == TIMER_ORDER_LATE,
        .overruns         = (uint32_t)number(s, OPTION_overruns),
        .interrupt        = signals_interrupt(),
    };
}

static void fill_job(struct plan *p)
{
    p->visible = memory_get(sizeof *p->visible);
    const struct settings *s = &p->request.settings;
    struct job *job = &p->job;
    job->name = p->name;
    job->self = p->self;
    job->options = p->options;
    job->compiled = p->scratch.folder[0] != 0 && !p->stranger;
    job->watched = job->compiled && is_watched(s) ? make_watched : NULL;
    job->watched_arg = p;
    job->program_arguments = p->arguments;
    job->native = native(p);
    p->habits.rounds = (uint32_t)number(s, OPTION_rounds);
    job->native.habits = &p->habits;
    outside_init(&p->outside, s->values[OPTION_outside].list.items, s->values[OPTION_outside].list.count);
    job->native.outside = p->outside.count ? &p->outside : NULL;
    job->structure = &p->structure;
    job->invariants = p->invariants;
    job->nproc = number(s, OPTION_nproc);
    job->races = number(s, OPTION_races);
    job->suppressions = p->suppressions;
    job->init_path = s->values[OPTION_init_path].text;
    job->stop_at_error = number(s, OPTION_stop_at_error);
    job->save_state_space = number(s, OPTION_save_state_space);
    job->max_sss = number(s, OPTION_max_sss);
    job->certificate = s->values[OPTION_certificate].text;
    job->output = s->values[OPTION_output].text ? s->values[OPTION_output].text : ".";
    job->interrupt = signals_interrupt();
}

/* The simulator takes programs and suites, and knows a suite by its name. */
static bool is_suite(const struct command *command, const struct request *q)
{
    const char *name = q->program.count ? q->program.items[0] : "", *dot = strrchr(name, '.');
    return command->options & IN_TEST || (command->options & IN_SIMULATE && dot && !strcmp(dot, ".toml"));
}

int plan_make(struct plan *p, const struct command *command, const char *self, int count, char **words, struct err *err)
{
    *p = (struct plan){ .scratch.socket = -1, .input = -1 };
    structure_init(&p->structure);
    const struct settings *s = &p->request.settings;
    int failed = request_read(&p->request, command, count, words, err);
    bool suite = !failed && is_suite(command, &p->request);
    if (!failed)
        failed = load_objects(&s->values[OPTION_object].list, err);
    if (!failed && command->options & options[OPTION_config].where)
        failed = read_config(p, err);
    if (!failed)
        failed = plan_search(s, &p->job.search, err);
    if (!failed && command->options & IN_CHECK)
        failed = check_certificate(s, &p->job.search, err);
    if (!failed && command->options & IN_CHECK)
        failed = check_cluster(s, &p->job.search, err);
    if (!failed)
        failed = read_invariants(p, err);
    if (!failed)
        failed = check_outside(s, &p->job.search, p->invariants, err);
    if (!failed)
        plan_group(s, &p->job);
    if (!failed)
        failed = read_suppressions(p, err);
    if (!failed)
        failed = signals_limit_time(number(s, OPTION_time_limit), err);
    if (!failed)
        failed = make_output_folder(s->values[OPTION_output].text, err);
    if (!failed)
        failed = suite ? 0 : prepare_input(p, command, err);
    if (!failed)
        failed = suite ? test_stage(p, err) : prepare_program(p, command, err);
    if (p->request.program.count)    /* also for who tells that it failed */
        spell(p, self);
    if (!failed || failed == -EINTR)
        fill_job(p);
    if (!failed && suite)
        test_fill(p);
    return failed;
}

void plan_free(struct plan *p)
{
    test_unstage(p->staging);
    scratch_close(&p->scratch);
    outside_forget(&p->outside);
    structure_fini(&p->structure);
    invariants_free(p->invariants);
    suppressions_free(p->suppressions);
    request_fini(&p->request);
    if (p->input >= 0)
        close(p->input);
    words_fini(&p->loaded);
    free(p->visible);
    free(p->watched);
    free(p->preload);
    free(p->executable);
    free(p->self);
    free(p->name);
    free(p->options);
    free(p->arguments);
}
