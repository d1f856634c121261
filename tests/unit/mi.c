/* What gdb says is understood, and what it cannot have said does no harm: real lines, lines cut anywhere, and random bytes.
 * SPDX-License-Identifier: MIT */
#include "simulator/mi.h"
#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line must give this kind, token and word, and the value that this JSON says (NULL: none). */
static void expect(const char *line, enum mi_kind kind, long token, const char *word, const char *json)
{
    struct mi_record m;
    mi_read(&m, line, strlen(line));
    json_t *wanted = json ? json_loads(json, JSON_DECODE_ANY, NULL) : NULL;
    bool same = m.kind == kind && m.token == token && !strcmp(m.word, word)
             && (json ? json_equal(m.value, wanted) : m.value == NULL);
    if (!same || (json && !wanted)) {
        char *got = m.value ? json_dumps(m.value, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL;
        printf("not so: %s\n    kind %d, token %ld, word %s, value %s\n", line, m.kind, m.token, m.word, got ? got : "none");
        free(got);
        failures++;
    }
    json_decref(wanted);
    mi_fini(&m);
}

static const char STACK[] =
    "12^done,stack=[frame={level=\"3\",addr=\"0x0000555555555249\",func=\"main\",file=\"a.c\",fullname=\"/tmp/a.c\",line=\"7\","
    "arch=\"i386:x86-64\"},frame={level=\"4\",addr=\"0x1\",func=\"start\",from=\"/lib/libc.so.6\"}]";
static const char STOPPED[] =
    "*stopped,reason=\"end-stepping-range\",frame={addr=\"0x0\",func=\"f\",args=[{name=\"n\",value=\"3\"}],line=\"9\"},"
    "thread-id=\"1\",stopped-threads=\"all\",core=\"0\"";
static const char VARIABLES[] =
    "3^done,variables=[{name=\"s\",value=\"0x4 \\\"a\\\\\\\"b\\\\n\\\\303\\\\244\\\"\"},{name=\"p\",arg=\"1\",type=\"struct p *\"}]";

static void test_real(void)
{
    expect("(gdb) ", MI_PROMPT, -1, "", NULL);
    expect("(gdb)", MI_PROMPT, -1, "", NULL);
    expect("5^done", MI_RESULT, 5, "done", "{}");
    expect("^running\r", MI_RESULT, -1, "running", "{}");
    expect("7^error,msg=\"No symbol \\\"x\\\" in current context.\"", MI_RESULT, 7, "error",
           "{\"msg\": \"No symbol \\\"x\\\" in current context.\"}");
    expect("7^error,msg=\"a\",code=\"undefined-command\"", MI_RESULT, 7, "error", "{\"msg\": \"a\", \"code\": \"undefined-command\"}");
    expect(STACK, MI_RESULT, 12, "done",
           "{\"stack\": [{\"level\": \"3\", \"addr\": \"0x0000555555555249\", \"func\": \"main\", \"file\": \"a.c\","
           " \"fullname\": \"/tmp/a.c\", \"line\": \"7\", \"arch\": \"i386:x86-64\"},"
           " {\"level\": \"4\", \"addr\": \"0x1\", \"func\": \"start\", \"from\": \"/lib/libc.so.6\"}]}");
    expect(STOPPED, MI_EXEC, -1, "stopped",
           "{\"reason\": \"end-stepping-range\", \"frame\": {\"addr\": \"0x0\", \"func\": \"f\","
           " \"args\": [{\"name\": \"n\", \"value\": \"3\"}], \"line\": \"9\"}, \"thread-id\": \"1\","
           " \"stopped-threads\": \"all\", \"core\": \"0\"}");
    expect(VARIABLES, MI_RESULT, 3, "done",
           "{\"variables\": [{\"name\": \"s\", \"value\": \"0x4 \\\"a\\\\\\\"b\\\\n\\\\303\\\\244\\\"\"},"
           " {\"name\": \"p\", \"arg\": \"1\", \"type\": \"struct p *\"}]}");
    expect("=thread-group-started,id=\"i1\",pid=\"42\"", MI_NOTIFY, -1, "thread-group-started", "{\"id\": \"i1\", \"pid\": \"42\"}");
    expect("=breakpoint-modified,bkpt={number=\"1\",thread-groups=[\"i1\"],times=\"1\"}", MI_NOTIFY, -1, "breakpoint-modified",
           "{\"bkpt\": {\"number\": \"1\", \"thread-groups\": [\"i1\"], \"times\": \"1\"}}");
    expect("+download,section=\".text\"", MI_STATUS, -1, "download", "{\"section\": \".text\"}");
    expect("^done,a={},b=[],c=[[],{}]", MI_RESULT, -1, "done", "{\"a\": {}, \"b\": [], \"c\": [[], {}]}");
    expect("~\"Reading\\tsymbols \\\\ \\342\\202\\254\\n\"", MI_CONSOLE, -1, "", "\"Reading\\tsymbols \\\\ \\u20ac\\n\"");
    expect("@\"out\"", MI_TARGET, -1, "", "\"out\"");
    expect("&\"warning: \\303 \\0 \\777\"", MI_LOG, -1, "", "\"warning: \\ufffd \\ufffd \\ufffd\"");
}

static void test_broken(void)
{
    static const char *const broken[] = {
        "", "7", "12345678901234567890^done", "^", "^done,", "^done,a", "^done,a=", "^done,a=b", "^done,a=\"", "^done,a=\"b",
        "^done,=\"b\"",
        "^done,a={", "^done,a={b", "^done,a={b=\"c\"", "^done,a={b=\"c\",}", "^done,a=[", "^done,a=[\"b\",]", "^done,a=[b]",
        "^done,a=[\"b\"}", "^done,a=\"b\"x", "~", "~\"", "~\"a\\", "~\"a\\\"", "~\"a\"b", "hello", "(gdb", "(gdbx", "*", "=,a=\"b\"",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect(broken[i], MI_OTHER, -1, "", NULL);
    enum { DEEP = 100000 };
    char *deep = malloc(DEEP + 16);
    strcpy(deep, "^done,a=");
    memset(deep + 8, '[', DEEP);
    deep[8 + DEEP] = '\0';
    expect(deep, MI_OTHER, -1, "", NULL);
    free(deep);
}

static uint64_t random_state = 20010514;
static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* In a block of its own size, so that a sanitizer sees a step beyond its end. Whatever is read can be printed. */
static void read_exactly(const char *bytes, size_t length)
{
    char *copy = malloc(length ? length : 1);
    memcpy(copy, bytes, length);
    struct mi_record m;
    mi_read(&m, copy, length);
    CHECK((m.kind <= MI_NOTIFY) == (m.word[0] != '\0'));
    CHECK((m.value != NULL) == (m.kind <= MI_LOG));
    char *text = m.value ? json_dumps(m.value, JSON_ENCODE_ANY) : NULL;
    CHECK((text != NULL) == (m.value != NULL));
    free(text);
    mi_fini(&m);
    free(copy);
}

/* One in `rare` is any, the others are such as MI is made of. */
static char any_byte(unsigned rare)
{
    static const char likely[] = "^*=+~@&{}[]\",\\=0123abn\xc3\xa4\xf0\x9f";
    return next_random() % rare ? likely[next_random() % (sizeof likely - 1)] : (char)next_random();
}

static void test_any_bytes(void)
{
    static const char *const lines[] = { STACK, STOPPED, VARIABLES, "&\"a\\303\\244\\n\"", "1^done,value=\"{x = 1, y = {2, 3}}\"" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        size_t length = strlen(lines[i]);
        for (size_t cut = 0; cut <= length; cut++)
            read_exactly(lines[i], cut);
        for (int round = 0; round < 20000; round++) {
            char bytes[512];
            memcpy(bytes, lines[i], length);
            for (int change = 0; change < 4; change++)
                bytes[next_random() % length] = any_byte(2);
            read_exactly(bytes, length);
        }
    }
    for (int round = 0; round < 50000; round++) {
        char bytes[64];
        size_t length = next_random() % sizeof bytes;
        for (size_t i = 0; i < length; i++)
            bytes[i] = any_byte(4);
        read_exactly(bytes, length);
    }
}

static void test_quote(void)
{
    char *quoted = mi_quote("a[\"x\"] \\ '\n'\t");
    CHECK(!strcmp(quoted, "\"a[\\\"x\\\"] \\\\ ' ' \""));
    free(quoted);
}

int main(void)
{
    test_real();
    test_broken();
    test_any_bytes();
    test_quote();
    return failures != 0;
}
