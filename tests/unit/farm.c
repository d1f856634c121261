/* The farm on a made-up model: its database, its file of properties, its queue. No Spin, no process. SPDX-License-Identifier: MIT */
#include "farm/blocks.h"
#include "farm/edit.h"
#include "farm/queue.h"
#include "farm/schema.h"
#include "farm/view.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "check.h"
#include "scratch.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* With words, which CHECK has not. */
#define check(true_is, ...) do { if (!(true_is)) { printf("%s:%d: not so: %s: ", __FILE__, __LINE__, #true_is); printf(__VA_ARGS__); putchar('\n'); failures++; } } while (0)

static char folder[SCRATCH_ROOM];
static struct err err;

static char *path(const char *name) { return prose_make("%s/%s", folder, name); }

static void write_file(const char *name, const char *text)
{
    char *file = path(name);
    FILE *out = fopen(file, "w");
    fputs(text, out);
    fclose(out);
    free(file);
}

/* ---- the properties' file ---- */

static const char harness[] =
    "verisoft harness 1\n# kept\nmap\nproperty odd      skip\nend\n\nsymbol p x\n\nproperty one\n    says  first\n    # kept, too\n    holds []p\nend\n"
    "\n# between\nproperty two\n\tholds <>p\n  end\ntail of the file";

/* Two that differ in their last letters only. */
static void test_long_names(void)
{
    char *long_ones = prose_make("property %0300d\nend\nproperty %0299d9\nend\n", 1, 1), *second = prose_make("%0299d9", 1);
    json_t *all = blocks_read(long_ones);
    check(json_array_size(all) == 2 && !strcmp(json_string_value(json_object_get(json_array_get(all, 1), "name")), second), "names of 300 letters");
    char *block = blocks_find(long_ones, second);
    check(block && block == strstr(block, "property") && strstr(block, second) && !blocks_check(block, second, &err), "the second of them: %s", err.text);
    json_decref(all);
    free(block);
    free(second);
    free(long_ones);
}

static void test_blocks(void)
{
    json_t *all = blocks_read(harness);
    check(json_array_size(all) == 2, "a line of the map is no property: %zu", json_array_size(all));
    check(json_integer_value(json_object_get(json_array_get(all, 0), "line")) == 9, "its line");
    json_decref(all);

    char *one = blocks_find(harness, "one"), *same = blocks_put(harness, "one", one);
    check(!strcmp(same, harness), "put back as it was: nothing changes\n%s", same);
    free(same);
    char *gone = blocks_put(harness, "one", NULL), *again = blocks_put(gone, "one", one);
    check(!strstr(gone, "first") && strstr(gone, "# between") && strstr(gone, "tail of the file"), "taken out, and nothing else:\n%s", gone);
    char *found = blocks_find(again, "one");
    check(found && blocks_are_alike(found, one), "put in again:\n%s", again);
    check(blocks_are_alike("property a\n  x \n\nend", "property a  \n  x\nend\n\n") && !blocks_are_alike("property a\n x\nend", "property a\nx\nend"), "alike");
    free(found);
    free(gone);
    free(again);
    free(one);

    check(!blocks_check("property one\nholds p\nend\n", "one", &err), "a property");
    check(blocks_check("property two\nholds p\nend\n", "one", &err), "another name");
    check(blocks_check("property one\nholds p\n", "one", &err), "no end");
    check(blocks_check("source /etc/passwd\nproperty one\nholds p\nend\n", "one", &err), "more before it");
    check(blocks_check("property one\nholds p\nend\noption -include /x\n", "one", &err), "more behind it");
    check(blocks_check("property one\nholds p\nproperty two\nholds p\nend\n", "one", &err), "one in another");
    check(blocks_check("", "one", &err), "nothing");
}

/* ---- the database ---- */

static void test_store(void)
{
    char *file = path("plain.farm");
    struct store *s = NULL, *other = NULL;
    check(!store_open(&s, file, &err) && !store_open(&other, file, &err), "opened twice: %s", err.text);
    check(!store_changed(s), "nothing has changed yet");
    check(!store_run(other, &err, "INSERT INTO harness (file) VALUES (?1)", "t", "a\"'; DROP TABLE run; --"), "%s", err.text);
    check(store_changed(s) && !store_changed(s), "the other's change is seen once");
    check(store_number(s, "SELECT count(*) FROM run", "") == 0 && store_number(s, "SELECT count(*) FROM harness", "") == 1, "text is no command");
    check(!store_begin(s, &err) && !store_run(s, &err, "DELETE FROM harness", "") && store_end(s, -1, &err) == -1, "taken back");
    check(store_number(s, "SELECT count(*) FROM harness", "") == 1, "as it was");
    store_close(other);
    store_close(s);

    sqlite3 *db;
    sqlite3_open(file, &db);
    sqlite3_exec(db, "PRAGMA user_version = 1000", NULL, NULL, NULL);
    sqlite3_close(db);
    check(store_open(&s, file, &err) && strstr(err.text, "later VeriSoft"), "a later one is refused: %s", err.text);
    free(file);
    write_file("none.farm", "this is no database, but it is long enough to be looked at as if it were one, is it not?");
    file = path("none.farm");
    check(store_open(&s, file, &err) && strstr(err.text, "cannot be"), "no database: %s", err.text);
    free(file);
}

/* ---- a made-up model: a property's content is its text ---- */

static int model = 1;                /* another number: another model */

static json_t *describe(void *arg, const char *file, struct err *e)
{
    char *text = arg ? memory_text(arg) : file_text(file, "", e);
    json_t *blocks = blocks_read(text), *list = json_array(), *b;
    size_t i;
    json_array_foreach(blocks, i, b) {
        const char *name = json_string_value(json_object_get(b, "name")), *body = json_string_value(json_object_get(b, "text"));
        json_array_append_new(list, json_pack("{s:s, s:i, s:n, s:n, s:s, s:b, s:b, s:[], s:[s], s:o, s:n, s:[]}", "name", name, "line", (int)i, "says", "link", "formula", "[]p",
                              "violation", 0, "fair", 0, "symbols", "features", "+F", "key", json_sprintf("%d:%s", model, body), "automaton", "lines"));
    }
    json_t *about = json_pack("{s:s, s:o, s:s, s:[], s:o}", "harness", file, "version", json_sprintf("%d:%s", model, text), "model", "0123456789abcdef", "precedences", "properties", list);
    bool wrong = strstr(text, "WRONG");
    json_decref(blocks);
    free(text);
    if (!wrong)
        return about;
    json_decref(about);
    fail(e, "that is wrong");
    return NULL;
}
static json_t *try_text(void *arg, const char *text, bool whole, struct err *e) { (void)arg, (void)whole; return describe((void *)text, "", e); }
static json_t *retell(void *arg, const char *p, const char *replay, struct err *e) { (void)arg, (void)p, (void)replay, (void)e; return NULL; }
static json_t *live(void *arg, const char *p, const char *file) { (void)arg, (void)p, (void)file; return NULL; }
static const struct farm_lent lent = { describe, try_text, retell, live, NULL, "verisoft", folder, NULL, NULL };

static struct farm f;

static void look(void)
{
    bool changed;
    check(!farm_look(&f, &changed, &err), "look: %s", err.text);
}

static void open_farm(void)
{
    write_file("m.harness", "verisoft harness 1\nproperty a\nholds a\nend\nproperty b\nholds b\nend\nproperty c\nholds c\nend\n");
    char *file = path("m.harness");
    check(!farm_open(&f, file, NULL, &lent, &err), "open: %s", err.text);
    free(file);
    look();
}

static int64_t id(const char *name) { return farm_property(&f, name, &err); }

static int start(const char *name)
{
    int n;
    check(!queue_start(&f, id(name), QUEUE_AS_A_WHOLE, &n, &err), "start: %s", err.text);
    return n;
}

/* What is next, begun, as "name kind bits"; "" when nothing is. */
static int64_t begun;
static const char *next(void)
{
    static char text[100];
    json_t *r = queue_next(&f, &err);
    text[0] = '\0';
    if (json_is_object(r)) {
        begun = json_integer_value(json_object_get(r, "id"));
        snprintf(text, sizeof text, "%s %s %d", json_string_value(json_object_get(r, "name")), json_string_value(json_object_get(r, "kind")),
                 (int)json_integer_value(json_object_get(r, "bits")));
        check(!queue_began(&f, begun, "here", &err), "%s", err.text);
    }
    json_decref(r);
    return text;
}

static void ended(int64_t run, const char *verdict, double hash_factor, int memory_cut, int finished, int trails)
{
    json_t *r = store_row(f.store, &err, "SELECT kind, content FROM run WHERE id = ?1", "i", run), *list = json_array();
    const char *kind = json_string_value(json_object_get(r, "kind"));
    for (int i = 0; i < trails; i++)
        json_array_append_new(list, json_pack("{s:i, s:n, s:s, s:s, s:s, s:s, s:s, s:[]}", "length", 30 - i * 10, "cycle", "replay", "r", "chart", "c", "svg", "s", "statements", "s",
                              "variables", "v", "steps"));
    json_t *result = json_pack("{s:s, s:s, s:s, s:s, s:o, s:[{s:s, s:f, s:i, s:f, s:b, s:b, s:i}]}", "verdict", verdict, "key", json_string_value(json_object_get(r, "content")),
                               "identifier", trails ? "A/10" : "E9", "words", trails ? "violated, in 10 steps" : "words", "trails", list, "runs",
                               "kind", kind, "states", 9.0, "errors", trails, "hash_factor", hash_factor, "memory_cut", memory_cut, "finished", finished, "depth", 3);
    check(!queue_ended(&f, run, result, 23, &err), "ended: %s", err.text);
    json_decref(result);
    json_decref(r);
}

static const char *state_of(const char *name)
{
    static char text[200];
    json_t *p = view_property(&f, name, &err);
    snprintf(text, sizeof text, "%s %s %s", json_string_value(json_object_get(p, "state")), json_string_value(json_object_get(p, "verdict")) ?: "-",
             json_string_value(json_object_get(p, "identifier")) ?: "-");
    json_decref(p);
    return text;
}
#define IS(wanted, got) check(!strcmp(wanted, got), "%s, expected %s", got, wanted)

static void test_order(void)
{
    int n;
    check(start("a") == 1 && start("b") == 1 && start("a") == 0, "started once");
    IS("a A 20", next());
    int64_t a = begun;
    check(!queue_start(&f, id("c"), QUEUE_BY_HAND, &n, &err) && n == 1, "by hand");
    IS("c A 20", next());
    int64_t c = begun;
    IS("c E 0", next());
    int64_t ce = begun;
    IS("b A 20", next());            /* quick levels of all before thorough ones of any */
    int64_t b = begun;
    IS("a E 0", next());
    int64_t ae = begun;

    ended(a, "failed", 500, 0, 1, 3);            /* the first counter-example ends the others */
    check(!queue_wants(&f, ae), "the exhaustive one is not wanted any more");
    IS("failed failed A/10", state_of("a"));
    ended(ae, "verified", 0, 0, 1, 0);           /* it comes too late, and counts for nothing */
    IS("failed failed A/10", state_of("a"));

    ended(c, "not finished", 500, 0, 1, 0);      /* room enough: no larger table is tried */
    IS("b E 0", next());
    int64_t be = begun;
    ended(ce, "verified", 0, 0, 1, 0);
    IS("verified verified E9", state_of("c"));

    ended(b, "not finished", 3, 0, 1, 0);        /* crowded: all larger ones, side by side */
    IS("b B 21", next());
    int64_t b21 = begun;
    IS("b B 22", next());
    int64_t b22 = begun;
    IS("b M 23", next());
    int64_t b23 = begun;
    ended(b21, "not finished", 5, 0, 1, 0);
    ended(b22, "not finished", 200, 0, 1, 0);
    check(!queue_wants(&f, b23), "22 bits were enough");
    IS("pending - -", state_of("b"));            /* nobody holds the lock */
    ended(be, "not finished", 0, 1, 0, 0);       /* no memory: not finished */
    IS("pending not finished E9", state_of("b"));
    IS("", next());
}

static void test_delete(void)
{
    int n;
    check(!queue_delete(&f, id("a"), &n, &err) && n == 1, "deleted");
    IS("failed failed A/20", state_of("a"));
    check(!queue_delete(&f, id("a"), &n, &err) && !queue_delete(&f, id("a"), &n, &err) && n == 1, "and the next two");
    IS("pending - -", state_of("a"));
    check(!queue_delete(&f, id("a"), &n, &err) && n == 0, "nothing is left to delete");
    check(!queue_delete(&f, id("c"), &n, &err) && n == 1, "a verified one");
    IS("pending - -", state_of("c"));
}

static void test_death(void)
{
    int n;
    check(start("a") == 1, "started");
    IS("a A 20", next());
    for (int i = 0; i < QUEUE_TRIES - 1; i++) {
        check(!queue_died(&f, begun, "killed", true, &err), "%s", err.text);
        IS("a A 20", next());
    }
    check(!queue_died(&f, begun, "killed", true, &err), "%s", err.text);
    IS("a E 0", next());             /* three times were enough */
    check(!queue_died(&f, begun, "no compiler", false, &err), "%s", err.text);
    IS("", next());
    IS("pending - -", state_of("a"));
    check(start("a") == 1, "and can be started again");
    check(!queue_abort(&f, id("a"), &n, &err) && n == 2, "aborted: %d", n);
    IS("", next());
}

/* Whoever is killed leaves its runs running: who takes the farm next queues them again, and until then they are not shown as running. */
static void test_crash(void)
{
    check(start("a") == 1, "started");
    IS("a A 20", next());
    IS("pending - -", state_of("a"));            /* nobody holds the lock */
    check(!farm_take(&f, &err), "taken: %s", err.text);
    struct farm second;
    check(!farm_open(&second, f.file, NULL, &lent, &err) && farm_is_taken(&second) && farm_take(&second, &err), "by one only");
    farm_close(&second);
    IS("a A 20", next());
    IS("running - -", state_of("a"));
    int n;
    queue_abort(&f, 0, &n, &err);
}

/* A verdict belongs to a content: it is there again when that is. */
static void test_contents(void)
{
    check(start("b") == 1, "what was not finished can be started again");
    IS("b A 20", next());
    ended(begun, "failed", 500, 0, 1, 1);
    model = 2;
    look();
    IS("pending - -", state_of("b"));
    check(start("b") == 1, "started");
    IS("b A 20", next());
    int64_t running = begun;
    model = 1;
    look();
    check(!queue_wants(&f, running), "it ran for a source that is no more");
    IS("failed failed A/30", state_of("b"));
    IS("", next());
    json_t *history = view_history(&f, &err);
    check(json_array_size(history) == 2, "two versions");
    json_decref(history);
}

static void test_edits(void)
{
    json_t *conflict, *r;
    check(!edit_put(&f, "a", "property a\nholds aa\nend\n", "property a\nholds a\nend\n", &conflict, &err) && !conflict, "put: %s", err.text);
    check(edit_put(&f, "a", "property a\nholds aaa\nend\n", "property a\nholds a\nend\n", &conflict, &err) && conflict, "somebody was faster");
    check(strstr(json_string_value(json_object_get(conflict, "ours")), "holds aa\n") != NULL, "both sides are told");
    json_decref(conflict);
    check(edit_put(&f, "a", "property a\nholds WRONG\nend\n", "property a\nholds aa\nend\n", &conflict, &err) && !conflict && strstr(err.text, "wrong"), "wrong: %s", err.text);
    check(edit_put(&f, "new", "property new\nholds n\nend\n", "property new\nholds m\nend\n", &conflict, &err) && conflict, "it was taken out meanwhile");
    json_decref(conflict);
    char *all = edit_export(&f, &err);
    r = edit_import(&f, all, EDIT_NEITHER, &err);
    check(r && json_array_size(json_object_get(r, "same")) == 3 && !json_array_size(json_object_get(r, "changed")), "exported and imported: the same");
    json_decref(r);
    r = edit_import(&f, "property a\nholds x\nend\nproperty d\nholds d\nend\n", EDIT_NEITHER, &err);
    check(r && json_array_size(json_object_get(r, "conflicts")) == 1, "a conflict");
    json_decref(r);
    char *now = edit_export(&f, &err);
    check(!strcmp(all, now), "then nothing is written:\n%s", now);
    free(now);
    r = edit_import(&f, "property a\nholds x\nend\nproperty d\nholds d\nend\n", EDIT_THEIRS, &err);
    check(r && json_array_size(json_object_get(r, "changed")) == 1 && json_array_size(json_object_get(r, "added")) == 1, "theirs");
    json_decref(r);
    check(!edit_import(&f, "nothing here", EDIT_NEITHER, &err), "no property");
    check(!edit_put(&f, "d", NULL, "property d\nholds d\nend\n", &conflict, &err) && !farm_property(&f, "d", &err), "deleted");
    free(all);
}

/* ---- many ---- */

/* Of a plan: is a table read from its beginning to its end? */
static bool scans(const char *sql, const char *table)
{
    char *explain = prose_make("EXPLAIN QUERY PLAN %s", sql), *wanted = prose_make("SCAN %s", table);
    json_t *plan = store_rows(f.store, &err, explain, ""), *step;
    bool found = !plan;
    size_t i, length = strlen(wanted);
    json_array_foreach(plan, i, step) {
        const char *detail = json_string_value(json_object_get(step, "detail"));
        found |= !strncmp(detail, wanted, length) && (!detail[length] || detail[length] == ' ') && !strstr(detail, "USING");
    }
    if (found)
        printf("%s\n", json_dumps(plan, JSON_INDENT(1)));
    json_decref(plan);
    free(explain);
    free(wanted);
    return found;
}

/* 10,000 properties and 100,000 runs: no view reads all runs, and the page gets the first rows only. */
static void test_many(void)
{
    check(!store_begin(f.store, &err) && !store_run(f.store, &err, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
          " INSERT INTO property (harness, name, position, line, violation, fair, symbols_json, features_json, content, formula) SELECT ?1, 'p' || i, i, i, 0, 0, '[]', '[\"+F' || (i % 7) || '\"]', 'c', '[]p' FROM n",
          "i", f.id), "%s", err.text);
    check(!store_run(f.store, &err, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"
          " INSERT INTO run (property, content, bits, rank, priority, state, queued, kind) SELECT p.id, 'c', 20, 0, 0, CASE WHEN i = 10 AND p.id % 100 = 0 THEN 'queued' ELSE 'done' END, 0, 'A'"
          " FROM n, property p WHERE p.content = 'c'", "") && !store_end(f.store, 0, &err), "%s", err.text);
    check(store_number(f.store, "SELECT count(*) FROM run", "") >= 100000, "so many runs");
    check(!scans("SELECT * FROM status WHERE harness = 1", "r") && !scans("SELECT * FROM status WHERE harness = 1", "t") && !scans("SELECT * FROM status WHERE harness = 1", "o"), "status");
    check(!scans("SELECT r.id FROM run r JOIN property p ON p.id = r.property WHERE r.state = 'queued' AND p.harness = 1 ORDER BY r.priority DESC, r.rank, r.id LIMIT 1", "r"), "next");
    const struct view_filter first = { .most = 200 }, some = { .text = "p77", .feature = "F0", .most = 200 };
    json_t *list = view_list(&f, &first, &err);
    check(json_array_size(json_object_get(list, "properties")) == 201 && json_integer_value(json_object_get(json_object_get(list, "counts"), "pending")) > 9990, "the first rows: %zu %s", json_array_size(json_object_get(list, "properties")), list ? json_dumps(json_object_get(list, "counts"), 0) : err.text);
    json_decref(list);
    list = view_list(&f, &some, &err);
    check(json_array_size(json_object_get(list, "properties")) == 18, "filtered: %zu", json_array_size(json_object_get(list, "properties")));
    json_decref(list);
}

/* A database of the first version is brought up to date, with what is in it. */
static void test_migration(void)
{
    char *file = path("old.farm");
    sqlite3 *db;
    struct store *s;
    sqlite3_open(file, &db);
    sqlite3_exec(db, schema_steps[0], NULL, NULL, NULL);
    sqlite3_exec(db, "INSERT INTO harness (file) VALUES ('kept'); PRAGMA user_version = 1", NULL, NULL, NULL);
    sqlite3_close(db);
    check(!store_open(&s, file, &err), "%s", err.text);
    check(store_number(s, "SELECT count(*) FROM harness WHERE file = 'kept'", "") == 1, "what was there");
    check(store_number(s, "SELECT count(*) FROM sqlite_master WHERE name = 'run_by_state'", "") == 1, "what is new");
    check(store_number(s, "PRAGMA user_version", "") == (int64_t)(sizeof schema_steps / sizeof *schema_steps), "its version");
    store_close(s);
    free(file);
}

/* Two processes make a database at the same time. */
static void test_at_once(void)
{
    char *file = path("at-once.farm");
    int refused = 0;
    for (int i = 0; i < 60; i++) {
        struct store *s = NULL;
        int status = 0;
        unlink(file);
        pid_t other = fork();
        int bad = store_open(&s, file, &err);
        if (!bad)
            store_close(s);
        if (!other)
            _exit(bad != 0);
        waitpid(other, &status, 0);
        refused += bad || status;
    }
    check(!refused, "%d times: %s", refused, err.text);
    free(file);
}

int main(void)
{
    check(scratch_folder(folder, "farm"), "no folder");
    test_blocks();
    test_long_names();
    test_at_once();
    test_store();
    open_farm();
    test_order();
    test_delete();
    test_death();
    test_crash();
    test_contents();
    test_edits();
    test_many();
    test_migration();
    farm_close(&f);
    char *command = prose_make("rm -rf %s", folder);
    int bad = system(command);
    free(command);
    return bad || failures;
}
