/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/mail.h"

#include "base/memory.h"
#include "base/prose.h"
#include "base/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* ---- whom ---- */

struct last_change { char *who; long when; };          /* of all changes that were looked at, the last */

/* Of git's porcelain: author-mail <ADDRESS>, and a line or two below author-time SECONDS. */
static void consider(struct last_change *l, const char *blamed)
{
    static const char mail[] = "\nauthor-mail <", moment[] = "\nauthor-time ";
    for (const char *at = blamed; at && (at = strstr(at, mail)); at++) {
        const char *time = strstr(at, moment), *who = at + strlen(mail);
        long when = time ? strtol(time + strlen(moment), NULL, 10) : 0;
        if (when <= l->when)
            continue;
        free(l->who);
        *l = (struct last_change){ prose_make("%.*s", (int)strcspn(who, ">\n"), who), when };
    }
}

enum { MOST_LINES = 200 };           /* of one file that are asked for: those of the end */

/* The lines of the steps in this file, from `last` back; gives what git says of them, or NULL. */
static char *blame(const char *file, const json_t *steps, size_t last)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? prose_make("%.*s", (int)(slash - file) + 1, file) : prose_make("."), *command[2 * MOST_LINES + 10], *ranges[MOST_LINES];
    int n = 0, lines = 0;
    const char *const first[] = { "git", "-C", folder, "blame", "--porcelain" };
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        command[n++] = (char *)first[i];
    for (size_t i = last + 1; i-- > 0 && lines < MOST_LINES;) {
        const char *place = text_of(json_array_get(steps, i), "location"), *colon = strrchr(place, ':');
        if (!colon || strlen(file) != (size_t)(colon - place) || strncmp(place, file, strlen(file)))
            continue;
        ranges[lines] = prose_make("%ld,%ld", strtol(colon + 1, NULL, 10), strtol(colon + 1, NULL, 10));
        command[n++] = (char *)"-L";
        command[n++] = ranges[lines++];
    }
    command[n++] = (char *)"--";
    command[n++] = (char *)(slash ? slash + 1 : file);
    command[n] = NULL;
    char *told = ask_all(command);
    while (lines)
        free(ranges[--lines]);
    free(folder);
    return told;
}

static char *last_of(const char *file)
{
    char *folder = memory_text(file), *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    char *const command[] = { "git", "-C", slash ? folder : (char *)".", "log", "-1", "--format=%ae", "--", slash ? slash + 1 : folder, NULL };
    char *who = ask_line(command);
    free(folder);
    if (who && *who)
        return who;
    free(who);
    return NULL;
}

/* Who changed last any of the lines of the counter-example; else the file of its last step. What is not committed is of who works here. */
static char *receiver(const json_t *steps)
{
    struct last_change l = { NULL, 0 };
    char *file = NULL, *seen = memory_text("\n");
    for (size_t i = json_array_size(steps); i-- > 0;) {
        const char *place = text_of(json_array_get(steps, i), "location"), *colon = strrchr(place, ':');
        char *name = colon ? prose_make("\n%.*s\n", (int)(colon - place), place) : NULL;
        if (name && !strstr(seen, name)) {       /* each file once */
            char *all = prose_make("%s%s", seen, name + 1), *one = prose_make("%.*s", (int)(colon - place), place), *told = blame(one, steps, i);
            consider(&l, told);
            free(told);
            free(seen);
            seen = all;
            if (file)
                free(one);
            else
                file = one;
        }
        free(name);
    }
    char *const user[] = { "git", "config", "user.email", NULL };
    char *who = !l.who && file ? last_of(file) : l.who && strcmp(l.who, "not.committed.yet") ? memory_text(l.who) : NULL;
    free(l.who);
    free(file);
    free(seen);
    return who ? who : ask_line(user);
}

/* ---- what ---- */

/* A header is one line, whatever stands in it. */
static char *one_line(const char *text)
{
    char *copy = memory_text(text);
    prose_one_line(copy);
    return copy;
}

static char *letter(const struct farm *f, const struct mail_settings *s, const json_t *p, const char *to)
{
    struct prose out = { 0 };
    char *name = one_line(text_of(p, "name")), *whom = one_line(to), *file = one_line(f->file);
    prose_add(&out, "To: %s\nSubject: [verisoft] %s is violated (%s)\nContent-Type: text/plain; charset=utf-8\nAuto-Submitted: auto-generated\n\n", whom, name, file);
    prose_add(&out, "%s\n%s\n\nIt is violated since a change of the source%s%s: %s.\n\n%s\n", name, text_of(p, "says"), *text_of(p, "revision") ? ", " : "", text_of(p, "revision"),
              text_of(p, "words"), text_of(p, "chart"));
    prose_add(&out, "To see it: verisoft farm %s show %s --form statements\n", f->file, name);
    if (s->link)
        prose_add(&out, "           %s#%s\n", s->link, name);
    free(name);
    free(whom);
    free(file);
    return prose_take(&out);
}

static int send(struct farm *f, const struct mail_settings *s, const json_t *p, struct err *err)
{
    char *to = s->to ? memory_text(s->to) : receiver(json_object_get(p, "steps"));
    char *const command[] = { "timeout", "60", (char *)s->command, "-t", NULL };
    if (!to || !*to) {
        free(to);
        to = memory_text("");
    }
    /* First put down, then sent: whatever happens between, nobody gets it twice. */
    int bad = store_run(f->store, err, "INSERT INTO mail (property, content, sent, receiver) VALUES (?1, ?2, ?3, ?4)", "itrt",
                        (int64_t)json_integer_value(json_object_get(p, "id")), text_of(p, "content"), farm_now(), to);
    if (!bad && *to) {
        char *text = letter(f, s, p, to);
        bad = ask_to_take(command, text, err);
        free(text);
    }
    free(to);
    return bad;
}

/* Failed with the content that it has; and the last verdict that it had before, with another content, was that it holds. */
int mail_step(struct farm *f, const struct mail_settings *s, struct err *err)
{
    json_t *due = store_rows(f->store, err,
        "SELECT s.id, s.name, s.says, s.content, s.words, t.chart, t.steps_json, (SELECT revision FROM version WHERE id = o.version) AS revision FROM status s"
        " JOIN outcome o ON o.id = s.outcome JOIN trail t ON t.id = (SELECT id FROM trail WHERE outcome = o.id ORDER BY length, id LIMIT 1)"
        " WHERE s.harness = ?1 AND s.verdict = 'failed' AND NOT EXISTS (SELECT 1 FROM mail m WHERE m.property = s.id AND m.content = s.content)"
        " AND (SELECT b.verdict FROM outcome b WHERE b.property = s.id AND b.content != s.content AND b.id < o.id ORDER BY b.id DESC LIMIT 1) IN ('verified', 'vacuous')", "i", f->id), *p;
    size_t i;
    int bad = due ? 0 : -EINVAL;
    json_array_foreach(due, i, p)
        bad = send(f, s, p, err) ?: bad;
    json_decref(due);
    return bad;
}
