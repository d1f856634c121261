/* SPDX-License-Identifier: MIT */
#include "farm/edit.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/prose.h"
#include "farm/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }

static int put_text(const void *text, FILE *out)
{
    return fputs(text, out) < 0 ? -errno : 0;
}

/* Tried with the rest of the file, written, and looked at. */
static int replace(struct farm *f, const char *text, struct err *err)
{
    bool changed;
    json_t *tried = f->lent->try_text(f->lent->arg, text, true, err);
    if (!tried)
        return -EINVAL;
    json_decref(tried);
    int bad = file_write(f->file, "the harness", put_text, text, err);
    return bad ? bad : farm_look(f, &changed, err);
}

/* ---- one property ---- */

static bool is_as_seen(const char *there, const char *seen)
{
    return there && seen ? blocks_are_alike(there, seen) : !there && !seen;
}

int edit_put(struct farm *f, const char *name, const char *block, const char *before, json_t **conflict, struct err *err)
{
    *conflict = NULL;
    int bad = block ? blocks_check(block, name, err) : 0;
    char *text = bad ? NULL : file_text(f->file, "the harness", err), *there = text ? blocks_find(text, name) : NULL;
    if (text && !is_as_seen(there, before)) {
        *conflict = json_pack("{s:s, s:s?, s:s?}", "name", name, "ours", there, "theirs", block);
        bad = fail(err, "%s: the property %s is not what it was when you began to change it", f->file, name);
    } else if (text) {
        char *new = blocks_put(text, name, block);
        bad = replace(f, new, err);
        free(new);
    }
    bad = text ? bad : -EINVAL;
    free(text);
    free(there);
    return bad;
}

static json_t *named(const json_t *about, const char *name)
{
    json_t *p;
    size_t i;
    json_array_foreach(json_object_get(about, "properties"), i, p)
        if (!strcmp(text_of(p, "name"), name))
            return json_incref(p);
    return NULL;
}

json_t *edit_try(struct farm *f, const char *name, const char *block, struct err *err)
{
    char *text = blocks_check(block, name, err) ? NULL : file_text(f->file, "the harness", err);
    if (!text)
        return NULL;
    char *new = blocks_put(text, name, block);
    json_t *about = f->lent->try_text(f->lent->arg, new, false, err), *p = about ? named(about, name) : NULL;
    json_decref(about);
    free(text);
    free(new);
    return p;
}

/* ---- many ---- */

struct import { char *text; json_t *added, *changed, *same, *conflicts; enum edit_take take; };

static void take_in(struct import *i, const char *name, const char *theirs)
{
    char *ours = blocks_find(i->text, name), *new = NULL;
    bool alike = ours && blocks_are_alike(ours, theirs);
    if (alike || (ours && i->take == EDIT_OURS))
        json_array_append_new(i->same, json_string(name));
    else if (ours && i->take == EDIT_NEITHER)
        json_array_append_new(i->conflicts, json_pack("{s:s, s:s, s:s}", "name", name, "ours", ours, "theirs", theirs));
    else
        new = blocks_put(i->text, name, theirs);
    if (new) {
        json_array_append_new(ours ? i->changed : i->added, json_string(name));
        free(i->text);
        i->text = new;
    }
    free(ours);
}

json_t *edit_import(struct farm *f, const char *text, enum edit_take take, struct err *err)
{
    struct import i = { file_text(f->file, "the harness", err), json_array(), json_array(), json_array(), json_array(), take };
    json_t *theirs = blocks_read(text), *b;
    size_t n;
    int bad = i.text ? 0 : -EINVAL;
    json_array_foreach(theirs, n, b)
        if (!bad && !(bad = blocks_check(text_of(b, "text"), text_of(b, "name"), err)))
            take_in(&i, text_of(b, "name"), text_of(b, "text"));
    if (!bad && !json_array_size(theirs))
        bad = fail(err, "there is no property in it; one begins with the line property NAME, and ends with the line end");
    if (!bad && !json_array_size(i.conflicts) && json_array_size(i.added) + json_array_size(i.changed))
        bad = replace(f, i.text, err);
    json_t *report = json_pack("{s:o, s:o, s:o, s:o}", "added", i.added, "changed", i.changed, "same", i.same, "conflicts", i.conflicts);
    json_decref(theirs);
    free(i.text);
    if (!bad)
        return report;
    json_decref(report);
    return NULL;
}

char *edit_export(struct farm *f, struct err *err)
{
    char *text = file_text(f->file, "the harness", err);
    struct prose out = { 0 };
    if (!text)
        return NULL;
    json_t *all = blocks_read(text), *b;
    size_t i;
    json_array_foreach(all, i, b)
        prose_add(&out, "%s%s", i ? "\n" : "", text_of(b, "text"));
    json_decref(all);
    free(text);
    return prose_take(&out);
}

/* ---- the map ---- */

static bool is_one_line(const char *text)
{
    return *text && strcspn(text, "\n\r") == strlen(text) && strspn(text, " \t") < strlen(text);
}

/* Behind the line `map`, or in the file that stands there. Gives the harness's new text, or NULL: *other is the file to be added to. */
static char *with_entry(const char *text, const char *entry, char **other)
{
    struct prose out = { 0 };
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n"), start = strspn(at, " \t"), end = length;
        while (end > start && strchr(" \t\r", at[end - 1]))
            end--;
        const char *next = at + length + (at[length] == '\n');
        if (end - start == 3 && !strncmp(at + start, "map", 3)) {
            bool empty = !strncmp(next + strspn(next, " \t"), "end", 3);             /* else as far to the right as the next: further would go on with it */
            prose_bytes(&out, text, (size_t)(next - text));
            prose_add(&out, "%.*s%s%s", empty ? 4 : (int)strspn(next, " \t"), empty ? "    " : next, entry, next);
            return prose_take(&out);
        }
        if (end - start > 4 && (!strncmp(at + start, "map ", 4) || !strncmp(at + start, "map\t", 4))) {
            const char *name = at + start + 4 + strspn(at + start + 4, " \t");
            *other = prose_make("%.*s", (int)(at + end - name), name);
            return NULL;
        }
        at = next;
    }
    prose_add(&out, "%s\nmap\n%send\n", text, entry);
    return prose_take(&out);
}

/* The harness names the map's file, so it is written to be tried; what cannot be used is as it was again. */
static int add_to(struct farm *f, const char *harness, const char *name, const char *entry, struct err *err)
{
    const char *slash = strrchr(f->file, '/');
    struct err ignored;
    bool changed;
    char *path = prose_make("%.*s%s", *name != '/' && slash ? (int)(slash - f->file) + 1 : 0, f->file, name), *text = file_text(path, "the map", err);
    char *new = text ? prose_make("%s%s%s", text, *text && text[strlen(text) - 1] != '\n' ? "\n" : "", entry) : NULL;
    int bad = new ? file_write(path, "the map", put_text, new, err) : -EINVAL;
    json_t *tried = bad ? NULL : f->lent->try_text(f->lent->arg, harness, true, err);
    if (tried)
        bad = farm_look(f, &changed, err);
    else if (!bad)
        bad = file_write(path, "the map", put_text, text, &ignored) ?: -EINVAL;
    json_decref(tried);
    free(path);
    free(text);
    free(new);
    return bad;
}

/* Two blanks or a tab would end the column. */
static char *narrow(const char *text)
{
    struct prose out = { 0 };
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        prose_add(&out, "%s%.*s", out.length ? " " : "", (int)length, text);
        text += length;
    }
    return prose_take(&out);
}

int edit_map(struct farm *f, const char *left, const char *right, struct err *err)
{
    if (!is_one_line(left) || !is_one_line(right))
        return fail(err, "an entry of the map is one line: a statement or condition of the source, and what becomes of it");
    char *one = narrow(left), *entry = prose_make("%s\t%s\n", one, right + strspn(right, " \t"));
    char *text = file_text(f->file, "the harness", err), *other = NULL;
    char *new = text ? with_entry(text, entry, &other) : NULL;
    int bad = new ? replace(f, new, err) : other ? add_to(f, text, other, entry, err) : -EINVAL;
    free(text);
    free(new);
    free(other);
    free(one);
    free(entry);
    return bad;
}
