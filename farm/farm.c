/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/farm.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "base/sha256.h"
#include "base/suggest.h"
#include "base/ask.h"
#include "farm/blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double farm_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- opening ---- */

static char *beside(const char *harness)
{
    static const char ending[] = ".harness";
    size_t length = strlen(harness), end = sizeof ending - 1;
    bool has = length > end && !strcmp(harness + length - end, ending);
    return prose_make("%.*s.farm", (int)(length - (has ? end : 0)), harness);
}

int farm_open(struct farm *f, const char *harness, const char *database, const struct farm_lent *lent, struct err *err)
{
    char whole[PATH_MAX];
    *f = (struct farm){ .lent = lent, .file = memory_text(harness), .lock = -1 };
    f->database = database ? memory_text(database) : beside(harness);
    if (!realpath(harness, whole))
        return fail_errno(err, "%s: the harness cannot be read", harness);
    int bad = store_open(&f->store, f->database, err);
    if (!bad)
        bad = store_run(f->store, err, "INSERT INTO harness (file) VALUES (?1) ON CONFLICT DO NOTHING", "t", whole);
    f->id = bad ? 0 : store_number(f->store, "SELECT id FROM harness WHERE file = ?1", "t", whole);
    return bad;
}

static char *lock_file(const struct farm *f)
{
    return prose_make("%s-lock", f->database);
}

void farm_close(struct farm *f)
{
    char *lock = lock_file(f);
    if (f->lock >= 0) {
        unlink(lock);                /* who waits for it looks whether it is still there */
        close(f->lock);
    }
    free(lock);
    store_close(f->store);
    json_decref(f->about);
    free(f->file);
    free(f->database);
    *f = (struct farm){ .lock = -1 };
}

/* ---- the lock ---- */

/* Held and still the one that everybody finds there. */
static bool is_there(int fd, const char *file)
{
    struct stat held, found;
    return !fstat(fd, &held) && !stat(file, &found) && held.st_ino == found.st_ino && held.st_dev == found.st_dev;
}

static int taken(const char *file, struct err *err)
{
    struct err ignored;
    char *address = file_text(file, "", &ignored);
    int bad = fail(err, "%s: another command works on this farm already%s%s", file, address && *address ? ": " : "", address ? address : "");
    free(address);
    return bad;
}

static int requeue(struct farm *f, struct err *err)
{
    return store_run(f->store, err, "UPDATE run SET state = CASE WHEN tries < 3 THEN 'queued' ELSE 'lost' END, started = NULL, machine = NULL,"
                     " why = 'the farm that ran it ended' WHERE state = 'running' AND property IN (SELECT id FROM property WHERE harness = ?1)", "i", f->id);
}

int farm_take(struct farm *f, struct err *err)
{
    struct flock whole = { .l_type = F_WRLCK };
    char *file = lock_file(f);
    int bad = 0;
    while (!bad) {
        f->lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (f->lock < 0)
            bad = fail_errno(err, "%s cannot be made", file);
        else if (fcntl(f->lock, F_OFD_SETLK, &whole))
            bad = errno == EAGAIN || errno == EACCES ? taken(file, err) : fail_errno(err, "%s cannot be locked", file);
        else if (is_there(f->lock, file))
            break;
        if (f->lock >= 0)
            close(f->lock);
        f->lock = -1;
    }
    if (!bad && ftruncate(f->lock, 0))
        bad = fail_errno(err, "%s cannot be written", file);
    free(file);
    return bad ? bad : requeue(f, err);
}

bool farm_is_taken(const struct farm *f)
{
    if (f->lock >= 0)
        return true;
    char *file = lock_file(f);
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct flock whole = { .l_type = F_WRLCK };
    bool taken = fd >= 0 && !fcntl(fd, F_OFD_GETLK, &whole) && whole.l_type != F_UNLCK;      /* asked, not tried: nobody is kept from it */
    if (fd >= 0)
        close(fd);
    free(file);
    return taken;
}

void farm_say_address(struct farm *f, const char *address)
{
    if (pwrite(f->lock, address, strlen(address), 0) < 0)
        return;                      /* then it is not told to who comes later; the address was printed */
}

/* ---- what is there ---- */

static const char *text_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static const char *block_of(const json_t *blocks, const char *name)
{
    size_t i;
    json_t *b;
    json_array_foreach(blocks, i, b)
        if (!strcmp(text_of(b, "name"), name))
            return text_of(b, "text");
    return NULL;
}

static int put_property(struct farm *f, const json_t *p, int64_t position, const char *block, struct err *err)
{
    int bad = store_run(f->store, err,
        "INSERT INTO property (harness, name, position, line, text, says, link, formula, violation, fair, symbols_json, features_json, automaton_json, lines_json, content)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT (harness, name) DO UPDATE SET position = ?3, line = ?4, text = ?5,"
        " says = ?6, link = ?7, formula = ?8, violation = ?9, fair = ?10, symbols_json = ?11, features_json = ?12, automaton_json = ?13, lines_json = ?14,"
        " content = ?15, gone = 0", "itiittttiijjjjt", f->id, text_of(p, "name"), position,
        (int64_t)json_integer_value(json_object_get(p, "line")), block, text_of(p, "says"), text_of(p, "link"), text_of(p, "formula"),
        (int64_t)json_is_true(json_object_get(p, "violation")), (int64_t)json_is_true(json_object_get(p, "fair")), json_object_get(p, "symbols"),
        json_object_get(p, "features"), json_object_get(p, "automaton"), json_object_get(p, "lines"), text_of(p, "key"));
    if (!bad)
        bad = store_run(f->store, err, "INSERT OR REPLACE INTO content SELECT ?1, id, content FROM property WHERE harness = ?2 AND name = ?3", "iit",
                        f->version, f->id, text_of(p, "name"));
    return bad;
}

static int put_properties(struct farm *f, const json_t *about, const char *text, struct err *err)
{
    json_t *blocks = blocks_read(text), *p;
    size_t i;
    int bad = store_run(f->store, err, "UPDATE property SET gone = 1 WHERE harness = ?1", "i", f->id);
    json_array_foreach(json_object_get(about, "properties"), i, p)
        if (!bad)
            bad = put_property(f, p, (int64_t)i, block_of(blocks, text_of(p, "name")), err);
    json_decref(blocks);
    return bad;
}

static int put_precedences(struct farm *f, const json_t *about, struct err *err)
{
    json_t *p;
    size_t i;
    int bad = store_run(f->store, err, "DELETE FROM precedence WHERE harness = ?1", "i", f->id);
    json_array_foreach(json_object_get(about, "precedences"), i, p)
        if (!bad)
            bad = store_run(f->store, err, "INSERT OR REPLACE INTO precedence VALUES (?1, ?2, ?3, ?4)", "itti", f->id, text_of(p, "first"), text_of(p, "second"),
                            (int64_t)json_integer_value(json_object_get(p, "line")));
    return bad;
}

/* Which state of the repository the sources are in; nobody has to have one. */
static int put_version(struct farm *f, const json_t *about, struct err *err)
{
    char *folder = memory_text(f->file), *slash = strrchr(folder, '/');
    if (slash)
        slash[1] = '\0';
    char *const revision[] = { "git", "-C", slash ? folder : (char *)".", "describe", "--always", "--dirty", NULL };
    char *const author[] = { "git", "-C", slash ? folder : (char *)".", "log", "-1", "--format=%an <%ae>", NULL };
    char *is = ask_line(revision), *who = ask_line(author);
    int bad = store_run(f->store, err, "INSERT INTO version (harness, content, seen, revision, author) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET seen = ?3", "itrtt",
                        f->id, text_of(about, "version"), farm_now(), is, who);
    f->version = bad ? 0 : store_number(f->store, "SELECT id FROM version WHERE harness = ?1 AND content = ?2", "it", f->id, text_of(about, "version"));
    free(folder);
    free(is);
    free(who);
    return bad;
}

/* What waits for a content that is no more need not be run. What runs for it is stopped by who runs it. */
static int drop_older(struct farm *f, struct err *err)
{
    return store_run(f->store, err, "UPDATE run SET state = 'dropped', why = 'the source has changed' WHERE state IN ('queued', 'running') AND property IN"
                     " (SELECT id FROM property p WHERE p.harness = ?1 AND (p.gone OR p.content != run.content))", "i", f->id);
}

/* Places in trails are those of the source as it was; where the model is the same, they are told again as they are now. */
static int retell(struct farm *f, struct err *err)
{
    json_t *old = store_rows(f->store, err, "SELECT t.id, t.replay, p.name FROM trail t JOIN outcome o ON t.outcome = o.id JOIN property p ON o.property = p.id"
                             " WHERE p.harness = ?1 AND p.gone = 0 AND p.content = o.content AND t.version != ?2", "ii", f->id, f->version), *t;
    size_t i;
    int bad = old ? 0 : -EINVAL;
    json_array_foreach(old, i, t) {
        struct err ignored;
        json_t *told = f->lent->retell(f->lent->arg, text_of(t, "name"), text_of(t, "replay"), &ignored), *now = json_array_get(told, 0);
        if (now && !bad)
            bad = store_run(f->store, err, "UPDATE trail SET version = ?2, chart = ?3, svg = ?4, statements = ?5, variables = ?6, steps_json = ?7 WHERE id = ?1", "iittttj",
                            (int64_t)json_integer_value(json_object_get(t, "id")), f->version, text_of(now, "chart"), text_of(now, "svg"), text_of(now, "statements"),
                            text_of(now, "variables"), json_object_get(now, "steps"));
        json_decref(told);
    }
    json_decref(old);
    return bad;
}

static int put_down(struct farm *f, const json_t *about, const char *text, struct err *err)
{
    json_t *kept = json_copy((json_t *)about);
    json_object_del(kept, "properties");
    int bad = store_begin(f->store, err);
    if (bad)
        return bad;
    bad = put_version(f, about, err);
    if (!bad)
        bad = store_run(f->store, err, "UPDATE harness SET about_json = ?2, wrong = NULL WHERE id = ?1", "ij", f->id, kept);
    if (!bad)
        bad = put_properties(f, about, text, err);
    if (!bad)
        bad = put_precedences(f, about, err);
    if (!bad)
        bad = drop_older(f, err);
    if (!bad)
        bad = retell(f, err);
    json_decref(kept);
    return store_end(f->store, bad, err);
}

/* The same description, and the same letters in the harness: then all of it is down already. */
static bool is_down(struct farm *f, json_t *about, const char *text)
{
    struct sha256 sum;
    char *all = json_dumps(about, JSON_COMPACT | JSON_SORT_KEYS);
    sha256_init(&sum);
    sha256_add(&sum, text, strlen(text));
    sha256_add(&sum, all, strlen(all));
    free(all);
    json_object_set_new(about, "digest", json_string(sha256_end(&sum).text));
    int64_t version = store_number(f->store, "SELECT v.id FROM harness h JOIN version v ON v.harness = h.id AND v.content = json_extract(h.about_json, '$.version')"
                                   " WHERE h.id = ?1 AND h.wrong IS NULL AND v.content = ?2 AND json_extract(h.about_json, '$.digest') = ?3", "itt", f->id, text_of(about, "version"),
                                   text_of(about, "digest"));
    if (version)
        f->version = version;
    return version;
}

int farm_look(struct farm *f, bool *changed, struct err *err)
{
    struct err ignored;
    int64_t before = f->version;
    char *text = file_text(f->file, "the harness", err);
    json_t *about = text ? f->lent->describe(f->lent->arg, f->file, err) : NULL;
    bool ended = !about && f->lent->interrupt && *f->lent->interrupt;            /* in the middle of it: nothing is known, and nothing wrong */
    int bad = ended ? -EINTR : !about ? -EINVAL : is_down(f, about, text) ? 0 : put_down(f, about, text, err);
    *changed = bad || before != f->version;
    if (!about && !ended)
        store_run(f->store, &ignored, "UPDATE harness SET wrong = ?2 WHERE id = ?1", "it", f->id, err->text);
    json_decref(f->about);
    f->about = about;
    free(text);
    return bad;
}

int64_t farm_property(struct farm *f, const char *name, struct err *err)
{
    int64_t id = store_number(f->store, "SELECT id FROM property WHERE harness = ?1 AND name = ?2 AND gone = 0", "it", f->id, name);
    if (id)
        return id;
    struct suggestion nearest;
    json_t *names = store_rows(f->store, err, "SELECT name FROM property WHERE harness = ?1 AND gone = 0", "i", f->id), *n;
    size_t i;
    suggest_start(&nearest, name);
    json_array_foreach(names, i, n)
        suggest_offer(&nearest, text_of(n, "name"));
    fail(err, "%s: the harness has no property %s%s", f->file, name, suggest_text(&nearest).text);
    json_decref(names);
    return 0;
}
