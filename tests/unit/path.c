/* The scenario file: what is written is read back; what a person writes is understood; what is wrong is named by its line.
 * SPDX-License-Identifier: MIT */
#include "report/path.h"
#include "check.h"
#include "scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static int parse(struct path *path, const char *text, struct err *err)
{
    return path_parse(path, text, strlen(text), "x.path", err);
}

static struct path_step *add(struct path *path, int process, const char *operation, const char *result)
{
    struct path_step *step = path_add(path, process);
    step->operation = operation ? strdup(operation) : NULL;
    step->result = result ? strdup(result) : NULL;
    return step;
}

static void fill(struct path *path)
{
    path_init(path);
    path->program = strdup("main.c");
    path->error = strdup("assertion at depth 3: main.c:77: VS_assert(ac) is false in process 1");
    path->process = 1;
    path->race[0] = 5;
    path->race[1] = 7;
    add(path, 2, "VS_toss(3)", "1")->location = strdup("main.c:92");
    add(path, 2, "send_to_queue(0, \"a = b # c ) \\\" d\")", NULL)->notes = strdup("one\n2 = 3");
    add(path, 1, "rcv_from_queue(0)", "\"a = b # c ) \\\" d\"");
    add(path, 1, "VS_assert(c == '\"' || c == '(' || (x = 1))", NULL);
    add(path, 64, "wait()", "process 2");
    add(path, 3, NULL, NULL);
    add(path, 3, NULL, "7");
    add(path, 1, "isn't closed(1)", "4");
}

static void compare(const struct path *a, const struct path *b)
{
    CHECK(same(a->program, b->program));
    CHECK(same(a->error, b->error));
    CHECK(a->process == b->process && a->race[0] == b->race[0] && a->race[1] == b->race[1]);
    CHECK(a->count == b->count);
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        CHECK(a->steps[i].process == b->steps[i].process);
        CHECK(same(a->steps[i].operation, b->steps[i].operation));
        CHECK(same(a->steps[i].result, b->steps[i].result));
    }
}

static void written_is_read_back(void)
{
    char folder[SCRATCH_ROOM], file[SCRATCH_ROOM + 16];
    struct path wrote, read;
    struct err err = { .text = "" };
    CHECK(scratch_folder(folder, "path"));
    snprintf(file, sizeof file, "%s/error1.path", folder);
    fill(&wrote);
    CHECK(path_save(&wrote, file, &err) == 0);
    CHECK(path_save(&wrote, file, &err) == 0);                   /* over the old one */
    CHECK(path_read(&read, file, &err) == 0);
    compare(&wrote, &read);
    path_fini(&wrote);
    path_fini(&read);
    CHECK(unlink(file) == 0);
    CHECK(rmdir(folder) == 0);                                   /* nothing else was left there */
}

static void people_write_less(void)
{
    struct path path;
    struct err err = { .text = "" };
    CHECK(parse(&path, "verisoft-path 1\r\n# mine\r\n\r\n 2 \r\n2 = 1\r\n1\t# then it stops", &err) == 0);
    CHECK(path.count == 3);
    CHECK(!path.program && !path.error);
    CHECK(path.steps[0].process == 2 && !path.steps[0].operation && !path.steps[0].result && path.steps[0].line == 4);
    CHECK(same(path.steps[1].result, "1") && path.steps[1].line == 5);
    CHECK(path.steps[2].process == 1 && !path.steps[2].operation);
    path_fini(&path);
    CHECK(parse(&path, "verisoft-path 1", &err) == 0);
    CHECK(path.count == 0);
    path_fini(&path);
}

static void wrong(const char *text, const char *message)
{
    struct path path;
    struct err err = { .text = "" };
    CHECK(parse(&path, text, &err) < 0);
    CHECK(path.count == 0 && !path.steps && !path.program);
    if (!strstr(err.text, message)) {
        printf("%s: for `%s` the message is `%s`, without `%s`\n", __FILE__, text, err.text, message);
        failures++;
    }
}

static void what_is_wrong_is_named(void)
{
    wrong("", "x.path:1: this is no scenario");
    wrong("\n", "x.path:1: this is no scenario");
    wrong("2 VS_toss(3) = 1\n", "x.path:1: this is no scenario");
    wrong("verisoft-path 2\n", "x.path:1: the file has version 2");
    wrong("verisoft-path 11\n", "version 11");
    wrong("verisoft-path 1\n0\n", "x.path:2: there is no such process");
    wrong("verisoft-path 1\n\n65\n", "x.path:3: there is no such process");
    wrong("verisoft-path 1\n99999999999999999999999999\n", "x.path:2: there is no such process");
    wrong("verisoft-path 1\n2x\n", "x.path:2: put a space");
    wrong("verisoft-path 1\n-1\n", "x.path:2: this is not a transition");
    wrong("verisoft-path 1\nsystem: x\n", "x.path:2: this is not a transition");
    wrong("verisoft-path 1\n1\nprogram: x\n", "x.path:3: `program:` stands after");
}

static void any_bytes_are_survived(void)
{
    struct path path;
    struct err err = { .text = "" };
    static const char zero[] = "verisoft-path 1\n1 a\0b\n";
    CHECK(path_parse(&path, zero, sizeof zero - 1, "x.path", &err) < 0);
    CHECK(strstr(err.text, "x.path:2: the line holds a zero byte"));
    size_t length = 2 << 20;
    char *large = malloc(length);
    memset(large, '(', length);
    memcpy(large, "verisoft-path 1\n1 ", 18);
    CHECK(path_parse(&path, large, length, "x.path", &err) < 0);
    CHECK(strstr(err.text, "x.path:2: the line is longer"));
    free(large);
    CHECK(path_parse(&path, NULL, 0, "x.path", &err) < 0);
}

static void files_that_are_not_there(void)
{
    struct path path;
    struct err err = { .text = "" };
    path_init(&path);
    CHECK(path_read(&path, "/nonexistent/x.path", &err) < 0);
    CHECK(strstr(err.text, "/nonexistent/x.path"));
    CHECK(path_save(&path, "/nonexistent/x.path", &err) < 0);
    CHECK(path_read(&path, "/", &err) < 0);
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        CHECK(path_write(&path, full) < 0);
        fclose(full);
    }
}

int main(void)
{
    written_is_read_back();
    people_write_less();
    what_is_wrong_is_named();
    any_bytes_are_survived();
    files_that_are_not_there();
    return failures != 0;
}
