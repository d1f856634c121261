/* system_file.VS and the table of options: what is read, what is refused and with which words, and that documents agree.
 * SPDX-License-Identifier: MIT */
#include "cli/config.h"
#include "cli/plan.h"
#include "base/suggest.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static struct settings settings;
static struct structure structure;
static struct err err;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: %s is false; last message: %s\n", __FILE__, __LINE__, #condition, err.text); \
            failures++; \
        } \
    } while (0)

static int read_bytes(const char *bytes, size_t length)
{
    settings_fini(&settings);
    structure_fini(&structure);
    settings_init(&settings);
    structure_init(&structure);
    err.text[0] = '\0';
    return config_read("f.VS", bytes, length, &settings, &structure, &err);
}

static int reads(const char *text)
{
    return read_bytes(text, strlen(text));
}

static bool refuses(const char *text, const char *message)
{
    return reads(text) < 0 && strstr(err.text, message);
}

static int64_t number(enum option_id id)
{
    return settings.values[id].number;
}

static void defaults_are_the_manuals(void)
{
    CHECK(reads("") == 0);
    CHECK(number(OPTION_max_depth) == 100 && number(OPTION_depth_incr) == 5 && number(OPTION_ignore_deadlock) == 0);
    CHECK(number(OPTION_livelock_limit) == 15 && number(OPTION_divergence_limit) == 10 && number(OPTION_stop_at_error) == 1);
    CHECK(number(OPTION_save_state_space) == 0 && number(OPTION_max_sss) == 10 && number(OPTION_sigusr2) == 0);
    CHECK(!settings_given(&settings, OPTION_max_depth) && !settings.values[OPTION_init_path].text);
}

static void parameters_are_read(void)
{
    CHECK(reads("nproc 5 # MANDATORY! (must be exact!)\n\n \tmax_depth\t7\r\n#depth_incr 9\ninit_path my file.path # start\n"
                "random_seed -40\nsearch bfs\nreduction none") == 0);
    CHECK(number(OPTION_nproc) == 5 && number(OPTION_max_depth) == 7 && number(OPTION_depth_incr) == 5);
    CHECK(settings.values[OPTION_init_path].text && !strcmp(settings.values[OPTION_init_path].text, "my file.path"));
    CHECK(number(OPTION_random_seed) == -40 && number(OPTION_search) == SEARCH_BFS);
    CHECK(reads("max_depth 1\nmax_depth 2\n") == 0 && number(OPTION_max_depth) == 2);
}

static void properties_are_read(void)
{
    CHECK(reads("send_to_queue 0 1\nsend_to_queue 0 3\nis_queue_full 1 0\nsemwait 0 1 2\n") == 0);
    CHECK(structure_allowed(&structure, TYPE_QUEUE, QUEUE_SEND, 0, -1) == 5);
    CHECK(structure_allowed(&structure, TYPE_QUEUE, QUEUE_IS_FULL, 1, -1) == 0);
    CHECK(structure_allowed(&structure, TYPE_SEMAPHORE, SEMAPHORE_WAIT, 0, 1) == 2);
    CHECK(structure_allowed(&structure, TYPE_SEMAPHORE, SEMAPHORE_WAIT, 0, 0) == UINT64_MAX);
}

static void refusals_say_where_and_what_to_do(void)
{
    CHECK(refuses("\n# x\nmax_depth abc\n", "f.VS:3: max_depth: 'abc' is not a number; write"));
    CHECK(refuses("nproc 65", "f.VS:1: nproc: '65' is out of bounds; write a whole number from 1 to 64"));
    CHECK(refuses("divergence_limit 0", "out of bounds"));
    CHECK(refuses("max_depth 99999999999999999999", "out of bounds"));
    CHECK(refuses("max_dept 5", "did you mean max_depth?"));
    CHECK(refuses("max-depth 5", "did you mean max_depth?"));
    CHECK(refuses("sendto_queue 0 1", "did you mean send_to_queue?"));
    CHECK(refuses("max_depth", "the value is missing; write 'max_depth N'"));
    CHECK(refuses("max_depth 5 depth_incr 6", "'depth_incr 6' is too much"));
    CHECK(refuses("ignore_deadlock 2", "neither 0 nor 1"));
    CHECK(refuses("search bsf", "did you mean bfs?"));
    CHECK(refuses("json x", "neither a parameter nor an operation"));
    CHECK(refuses("semwait 0 1", "write three numbers behind it: semaphore, index, process"));
    CHECK(refuses("send_to_queue 0 1 2", "write two numbers behind it: queue, process"));
    CHECK(refuses("send_to_queue 0 65", "'65' names no process"));
    CHECK(refuses("send_to_queue -1 1", "'-1' names no queue"));
    CHECK(refuses("VS_toss 0 1", "an operation on no object"));
    CHECK(refuses(CONFIG_HEADER "2\n", "use a newer VeriSoft"));
    CHECK(reads(CONFIG_HEADER "1\nnproc 2\n") == 0);
    CHECK(read_bytes("a\0b", 3) < 0 && strstr(err.text, "NUL"));
    CHECK(refuses("\033[31m 5", "'?[31m'"));
}

static void command_line_wins(void)
{
    CHECK(reads("") == 0);
    CHECK(settings_set(&settings, OPTION_max_depth, "3", FROM_COMMAND, "--max-depth", &err) == 0);
    CHECK(settings_set(&settings, OPTION_max_depth, "4", FROM_FILE, "f", &err) == 0);
    CHECK(number(OPTION_max_depth) == 3);
    CHECK(settings_set(&settings, OPTION_max_depth, "x", FROM_FILE, "f", &err) < 0);
}

static struct search_settings search_of(const char *text)
{
    struct search_settings search = { 0 };
    CHECK(reads(text) == 0);
    CHECK(plan_search(&settings, &search, &err) == 0);
    return search;
}

static void defaults_depend_on_the_search(void)
{
    struct search_settings s = search_of("search stateful");
    CHECK(s.max_depth == 0 && s.reduction == REDUCTION_NONE);
    CHECK(search_of("search stateful\nmax_depth 9").max_depth == 9);
    CHECK(search_of("search dfs").max_depth == 100);
    s = search_of("search random");
    CHECK(s.seed == 1 && !s.shuffle && s.stop_at_state == 100000);
    CHECK(search_of("search random\nstop_at_state 5").stop_at_state == 5);
    s = search_of("random_seed 7");
    CHECK(s.seed == 7 && s.shuffle && s.stop_at_state == 0);
    CHECK(reads("search bfs\nreduction source") == 0 && plan_search(&settings, &s, &err) < 0);
}

static void names_that_stop_a_search_are_options(void)
{
    CHECK(option_find(search_stop_names[STOPPED_MAX_DEPTH], IN_FILE) == OPTION_max_depth);
    CHECK(option_find(search_stop_names[STOPPED_STOP_AT_ERROR], IN_FILE) == OPTION_stop_at_error);
    CHECK(option_find(search_stop_names[STOPPED_STOP_AT_STATE], IN_FILE) == OPTION_stop_at_state);
    CHECK(option_find("max-depth", IN_CHECK) == OPTION_max_depth && option_find("max-depth", IN_FILE) < 0);
}

static void every_parameter_is_documented(void)
{
    static char page[1 << 16];
    FILE *file = fopen("doc/system_file.md", "r");
    if (!file) {
        printf("doc/system_file.md is not here; run from the project's folder to check it\n");
        return;
    }
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int id = 0; id < OPTION_COUNT; id++) {
        struct option_text number;
        char row[80];
        const char *standard = option_default(id, &number);
        snprintf(row, sizeof row, "| `%s` | %s |", options[id].name, standard ? standard : "");
        if (options[id].where & IN_FILE && !strstr(page, row)) {
            printf("doc/system_file.md has no row '%s'\n", row);
            failures++;
        }
    }
}

int main(void)
{
    defaults_are_the_manuals();
    parameters_are_read();
    properties_are_read();
    refusals_say_where_and_what_to_do();
    command_line_wins();
    defaults_depend_on_the_search();
    names_that_stop_a_search_are_options();
    every_parameter_is_documented();
    settings_fini(&settings);
    structure_fini(&structure);
    return failures != 0;
}
