/* SPDX-License-Identifier: MIT */
#include "farm/store.h"

#include "base/memory.h"
#include "farm/schema.h"

#include <assert.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = sizeof schema_steps / sizeof *schema_steps, PATIENCE = 10000 };     /* milliseconds that another writer may take */

struct store { sqlite3 *db; char *file; bool writing; int64_t seen; };

static int wrong(const struct store *s, struct err *err)
{
    int code = sqlite3_errcode(s->db);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        return fail(err, "%s: the database cannot be used: %s; take a backup in its place, or another name (--database)", s->file, sqlite3_errmsg(s->db));
    return fail(err, "%s: the database refuses: %s", s->file, sqlite3_errmsg(s->db));
}

/* ---- statements ---- */

static void bind(sqlite3_stmt *statement, const char *format, va_list values)
{
    for (int i = 1; *format; i++, format++) {
        if (*format == 't') {
            sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
        } else if (*format == 'i') {
            sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
        } else if (*format == 'r') {
            sqlite3_bind_double(statement, i, va_arg(values, double));
        } else {
            assert(*format == 'j');
            json_t *value = va_arg(values, json_t *);
            if (!value || json_is_null(value))
                sqlite3_bind_null(statement, i);
            else
                sqlite3_bind_text(statement, i, json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY), -1, free);
        }
    }
}

/* NULL: it is wrong. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, const char *format, va_list values)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    assert(sqlite3_bind_parameter_count(statement) == (int)strlen(format));
    bind(statement, format, values);
    return statement;
}

int store_run(struct store *s, struct err *err, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(s, sql, format, values);
    va_end(values);
    int code = statement ? sqlite3_step(statement) : SQLITE_ERROR;
    int bad = code == SQLITE_DONE || code == SQLITE_ROW ? 0 : wrong(s, err);
    sqlite3_finalize(statement);
    return bad;
}

int64_t store_changes(const struct store *s) { return sqlite3_changes(s->db); }
int64_t store_last(const struct store *s) { return sqlite3_last_insert_rowid(s->db); }

/* ---- rows ---- */

static json_t *value_of(sqlite3_stmt *statement, int column, bool is_json)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:   return json_real(sqlite3_column_double(statement, column));
    case SQLITE_NULL:    return json_null();
    }
    const char *text = (const char *)sqlite3_column_text(statement, column);
    json_t *value = is_json ? json_loads(text, JSON_DECODE_ANY, NULL) : json_string(text);
    return value ? value : json_null();
}

static json_t *row_of(sqlite3_stmt *statement)
{
    static const char ending[] = "_json";
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const char *name = sqlite3_column_name(statement, i);
        size_t length = strlen(name), end = sizeof ending - 1;
        bool is_json = length > end && !strcmp(name + length - end, ending);
        char key[100];
        snprintf(key, sizeof key, "%.*s", (int)(length - (is_json ? end : 0)), name);
        json_object_set_new(row, key, value_of(statement, i, is_json));
    }
    return row;
}

static json_t *rows(struct store *s, struct err *err, const char *sql, const char *format, va_list values)
{
    sqlite3_stmt *statement = prepare(s, sql, format, values);
    json_t *all = json_array();
    int code = SQLITE_ERROR;
    while (statement && (code = sqlite3_step(statement)) == SQLITE_ROW)
        json_array_append_new(all, row_of(statement));
    if (code != SQLITE_DONE) {
        wrong(s, err);
        json_decref(all);
        all = NULL;
    }
    sqlite3_finalize(statement);
    return all;
}

json_t *store_rows(struct store *s, struct err *err, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_t *all = rows(s, err, sql, format, values);
    va_end(values);
    return all;
}

json_t *store_row(struct store *s, struct err *err, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    json_t *all = rows(s, err, sql, format, values), *first = NULL;
    va_end(values);
    if (all)
        first = json_array_size(all) ? json_incref(json_array_get(all, 0)) : json_null();
    json_decref(all);
    return first;
}

int64_t store_number(struct store *s, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(s, sql, format, values);
    va_end(values);
    int64_t number = statement && sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return number;
}

/* ---- transactions ---- */

int store_begin(struct store *s, struct err *err)
{
    assert(!s->writing);
    int bad = store_run(s, err, "BEGIN IMMEDIATE", "");
    s->writing = !bad;
    return bad;
}

int store_end(struct store *s, int bad, struct err *err)
{
    struct err ignored;
    assert(s->writing);
    s->writing = false;
    if (!bad)
        bad = store_run(s, err, "COMMIT", "");
    if (bad)
        store_run(s, &ignored, "ROLLBACK", "");
    return bad;
}

bool store_changed(struct store *s)
{
    int64_t now = store_number(s, "PRAGMA data_version", "");
    bool changed = now != s->seen;
    s->seen = now;
    return changed;
}

/* ---- opening ---- */

/* Two who make a database at the same time meet in its journal's mode, and for that SQLite does not wait of itself. */
static int set(struct store *s, const char *setting, struct err *err)
{
    enum { MOMENT = 10 };            /* milliseconds */
    int bad = store_run(s, err, setting, "");
    for (int waited = 0; bad && (sqlite3_errcode(s->db) & 0xff) == SQLITE_BUSY && waited < PATIENCE; waited += MOMENT) {
        sqlite3_sleep(MOMENT);
        bad = store_run(s, err, setting, "");
    }
    return bad;
}

static int set_up(struct store *s, struct err *err)
{
    static const char *const settings[] = { "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON" };
    sqlite3_busy_timeout(s->db, PATIENCE);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (set(s, settings[i], err))
            return -EINVAL;
    return 0;
}

/* Each step is a transaction, with the number that says that it was done. */
static int migrate(struct store *s, struct err *err)
{
    int bad = store_begin(s, err);
    if (bad)
        return bad;
    int64_t version = store_number(s, "PRAGMA user_version", "");
    if (version > STEPS)
        bad = fail(err, "%s: the database is of a later VeriSoft (its schema is %lld, this one knows %d); use that one", s->file, (long long)version, STEPS);
    for (; !bad && version < STEPS; version++) {
        char number[40];
        snprintf(number, sizeof number, "PRAGMA user_version = %d", (int)version + 1);
        if (sqlite3_exec(s->db, schema_steps[version], NULL, NULL, NULL) != SQLITE_OK)
            bad = wrong(s, err);
        else
            bad = store_run(s, err, number, "");
    }
    return store_end(s, bad, err);
}

int store_open(struct store **made, const char *file, struct err *err)
{
    struct store *s = memory_get(sizeof *s);
    s->file = memory_text(file);
    int bad = sqlite3_open_v2(file, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK ? 0
            : fail(err, "%s: the database cannot be opened: %s", file, sqlite3_errmsg(s->db));
    if (!bad)
        bad = set_up(s, err);
    if (!bad)
        bad = migrate(s, err);
    if (bad) {
        store_close(s);
        return bad;
    }
    store_changed(s);
    *made = s;
    return 0;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s->file);
    free(s);
}
