/* SPDX-License-Identifier: MIT */
#include "extractor/trail_reader.h"

#include "base/memory.h"
#include "base/prose.h"
#include "extractor/evaluate.h"
#include "extractor/fields.h"
#include "extractor/look.h"

#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void find_event(void *arg, long long value, const char *name)
{
    struct { long long value; const char *name; } *wanted = arg;
    if (value == wanted->value && name && !wanted->name)
        wanted->name = name;
}

static const char *event_name(const struct extraction *x, long long value)
{
    struct { long long value; const char *name; } wanted = { value, NULL };
    for (int i = 0; i < x->harness.machines.count; i++) {
        const struct function *f = machines_function(&x->machines, x->harness.machines.items[i].function);
        if (f)
            look_events(f, x->harness.machines.items[i].event, find_event, &wanted);
    }
    return wanted.name;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Is it in one of the harness's lists "mtype = { a, b }"? */
static bool is_mtype(const char *text, const char *word, size_t length)
{
    for (const char *at = text; at && (at = strstr(at, "mtype")); at += 5) {
        const char *open = at + 5 + strcspn(at + 5, "{;"), *close = *open == '{' ? strchr(open, '}') : NULL;
        for (const char *w = open; close && w < close; w += strspn(w, letters) + !strspn(w, letters))
            if (strspn(w, letters) == length && !strncmp(w, word, length))
                return true;
    }
    return false;
}

/* What the model sends first by this channel on this line, "acs!Ctdis", where that is a word for this number. Gives; NULL: it is not. */
static char *sent_word(const struct extraction *x, int line, const char *channel, long long value)
{
    char *text = line > 0 ? trail_model_line(x, line) : NULL, *name = prose_make("%.*s", (int)strcspn(channel, "["), channel);
    const char *at = text ? strstr(text, name) : NULL, *mark = at ? strchr(at, '!') : NULL, *word = mark ? mark + 1 + strspn(mark + 1, " ") : "";
    size_t length = strspn(word, letters);
    bool known = length && (is_mtype(x->harness.declarations, word, length) || is_mtype(x->harness.drivers, word, length));
    for (int i = 0; length && !known && i < x->machines.constant_count; i++)
        known = x->machines.constants[i].value == value && strlen(x->machines.constants[i].name) == length
              && !strncmp(x->machines.constants[i].name, word, length);
    char *found = known ? prose_make("%.*s", (int)length, word) : NULL;
    free(text);
    free(name);
    return found;
}

/* "10,0," as "msg(0)"; sent: where, or NULL. */
static char *message_words(const struct extraction *x, const char *fields, const char *sent, int line)
{
    struct prose out = { 0 };
    char *end;
    long long first = strtoll(fields, &end, 10);
    size_t named = end == fields ? strcspn(fields, ", ") : 0;            /* Spin tells words of an mtype itself */
    char *word = named ? prose_make("%.*s", (int)named, fields) : sent ? sent_word(x, line, sent, first) : NULL;
    end += named;
    const char *name = word ? word : event_name(x, first);
    size_t length = strlen(end);
    while (length && (end[length - 1] == ',' || end[length - 1] == ' '))
        length--;
    if (name)
        prose_add(&out, "%s", name);
    else
        prose_add(&out, "%lld", first);
    if (length > 1)
        prose_add(&out, "(%.*s)", (int)length - 1, end + 1);
    free(word);
    return prose_take(&out);
}

char *trail_process(const struct trail_reader *r, const char *model, int pid)
{
    if (strncmp(model, "machine_", 8))
        return prose_make("%s", model);
    for (int i = 0; i < r->x->harness.machines.count; i++) {
        const struct harness_machine *m = &r->x->harness.machines.items[i];
        if (strcmp(m->name, model + 8) || m->count == 1)
            continue;
        int copy = 0;
        for (int p = 0; p < pid && p < r->column_count; p++)
            copy += r->columns[p] >= 0 && !strncmp(r->trail->processes[r->columns[p]], m->name, strlen(m->name))
                    && r->trail->processes[r->columns[p]][strlen(m->name)] == '[';
        return prose_make("%s[%d]", m->name, copy);
    }
    return prose_make("%s", model + 8);
}

int trail_column(struct trail_reader *r, int pid, const char *name)
{
    while (r->column_count <= pid) {
        r->columns = memory_resize(r->columns, ((size_t)r->column_count + 1) * sizeof *r->columns);
        r->columns[r->column_count++] = -1;
    }
    if (r->columns[pid] < 0) {
        struct trail *t = r->trail;
        char *column_name = trail_process(r, name, pid);
        ARRAY_GROW(t->processes, t->process_count, t->process_room);
        r->columns[pid] = t->process_count;
        t->processes[t->process_count++] = column_name;
        ARRAY_GROW(r->stands, r->stand_count, r->stand_room);
        r->stands[r->stand_count++] = (struct at_node){ .process = t->process_count - 1, .node = -1 };
    }
    return r->columns[pid];
}

/* ---- values ---- */

static void set_raw(struct raws *raws, const char *name, const char *text)
{
    for (int i = 0; i < raws->count; i++)
        if (!strcmp(raws->items[i].name, name)) {
            free(raws->items[i].text);
            raws->items[i].text = prose_make("%s", text);
            return;
        }
    ARRAY_GROW(raws->items, raws->count, raws->room);
    raws->items[raws->count++] = (struct raw){ prose_make("%s", name), prose_make("%s", text) };
}

static const char *raw(const struct raws *raws, const char *name)
{
    for (int i = 0; i < raws->count; i++)
        if (!strcmp(raws->items[i].name, name))
            return raws->items[i].text;
    return NULL;
}

/* The program's word for a variable of the model; NULL: it is ours alone. */
static char *meaning(const struct trail_reader *r, const char *name)
{
    size_t length = strcspn(name, "[");
    if (!strcmp(name, "me"))
        return NULL;
    for (int i = 0; i < r->x->harness.machines.count; i++) {     /* receiver_seqno, of a property */
        const char *machine = r->x->harness.machines.items[i].name;
        size_t own = strlen(machine);
        if (!r->owner && !strncmp(machine, name, own) && name[own] == '_' && name[own + 1])
            return prose_make("%s%s.%.*s", machine, name + length, (int)(length - own - 1), name + own + 1);
    }
    for (int i = 0; i < r->x->model.name_count; i++)
        if (strlen(r->x->model.names[i].name) == length && !strncmp(r->x->model.names[i].name, name, length))
            return prose_make("%s%s%s%s", r->owner ? r->owner : "", r->owner ? "." : "", r->x->model.names[i].meaning, name + length);
    return prose_make("%s%s%s", r->owner ? r->owner : "", r->owner ? "." : "", name);
}

/* What the program calls this value of MACHINE.VARIABLE, or of a global: a control state, an event, a constant. NULL: it has no word for it. */
static const char *value_word(const struct trail_reader *r, const char *told, long long value)
{
    const struct extraction *x = r->x;
    size_t own = strcspn(told, ".["), index = told[own] == '[' ? strcspn(told + own, "]") + 1 : 0;
    for (int i = 0; told[own] && i < x->harness.machines.count; i++) {
        const struct harness_machine *m = &x->harness.machines.items[i];
        const struct function *f = machines_function(&x->machines, m->function);
        if (!f || strlen(m->name) != own || strncmp(m->name, told, own) || told[own + index] != '.')
            continue;
        const char *name = told + own + index + 1;
        const struct variable_of *v = function_variable(f, name);
        if (!strcmp(name, "control") && !r->in_locals)
            return look_state_name(f, m->state, value);
        if (m->event && !strcmp(name, m->event))
            return value < 0 ? NULL : event_name(x, value);
        v = v ? v : fields_called(f, name);
        return v ? machines_word(&x->machines, v->type, value) : NULL;
    }
    for (int i = 0; !told[own] && i < x->machines.globals.count; i++)
        if (!strcmp(plain_name(x->machines.globals.items[i].name), told))
            return machines_word(&x->machines, x->machines.globals.items[i].type, value);
    return NULL;
}

void trail_value(struct trail_reader *r, const char *line)
{
    const char *name = line + 1 + strcspn(line + 1, " "), *colon = strstr(line, ":\t");
    name += strspn(name, " ");
    if (!colon || colon <= name)
        return;
    bool is_channel = !strncmp(line + 1, "chan ", 5);
    size_t length = is_channel ? strcspn(name, " ") : (size_t)(colon - name);
    char *word = prose_make("%.*s", (int)length, name), *text = prose_make("%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    if (!r->in_locals)
        set_raw(&r->raws, word, text);
    char *told = is_channel ? NULL : meaning(r, word);
    const char *called = told ? value_word(r, told, atoll(text)) : NULL;
    if (told) {
        ARRAY_GROW(r->values, r->value_count, r->value_room);
        r->values[r->value_count++] = (struct value){ told, prose_make("%s", called ? called : text) };
    }
    free(word);
    free(text);
}

static bool symbol_value(void *arg, const char *name, long long *value)
{
    const struct trail_reader *r = arg;
    const char *text = raw(&r->raws, name);
    if (text) {
        *value = strtoll(text, NULL, 10);
        return true;
    }
    for (int i = 0; i < r->x->machines.constant_count; i++)
        if (!strcmp(r->x->machines.constants[i].name, name)) {
            *value = r->x->machines.constants[i].value;
            return true;
        }
    return false;
}

char *trail_symbols(struct trail_reader *r)
{
    struct prose out = { 0 };
    for (int i = 0; i < r->trail->property->symbol_count; i++) {
        long long value;
        bool known = r->symbols[i] && evaluate(r->symbols[i], symbol_value, r, &value);
        prose_add(&out, "%c", !known ? '?' : value ? '1' : '0');
    }
    return prose_take(&out);
}

/* ---- messages ---- */

/* The name of the channel in "c!1,2" or "c[0]?x"; NULL: it is neither. */
static char *channel_of(const char *text, bool *sends)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    size_t index = text[length] == '[' ? strcspn(text + length, "]") + 1 : 0;
    char mark = length ? text[length + index] : 0;
    *sends = mark == '!';
    return (mark == '!' && text[length + index + 1] != '=') || mark == '?' ? prose_make("%.*s", (int)(length + index), text) : NULL;
}

/* The last message in "len 2:\t [10,0,], [11,1,],". */
static char *last_message(const struct trail_reader *r, const char *channel)
{
    const char *content = raw(&r->raws, channel), *open = content ? strrchr(content, '[') : NULL;
    if (!open)
        return NULL;
    char *fields = prose_make("%.*s", (int)strcspn(open + 1, "]"), open + 1), *words = message_words(r->x, fields, channel, r->step.line);
    free(fields);
    return words;
}

/* "c[x->first]", by who sends, and "c[2]", by who receives it: which of them it is is told by the number. */
static bool by_number(const char *channel)
{
    const char *index = strchr(channel, '[');
    return !index || index[1 + strspn(index + 1, "0123456789")] == ']';
}

static bool same_channel(const char *sent, const char *received)
{
    size_t base = strcspn(sent, "[");
    return !strcmp(sent, received)
        || ((!by_number(sent) || !by_number(received)) && base == strcspn(received, "[") && !strncmp(sent, received, base));
}

void trail_message(struct trail_reader *r, struct step *s, const char *text)
{
    bool sends;
    char *channel = channel_of(text, &sends), *own = channel ? strstr(channel, "[me]") : NULL;
    if (!channel)
        return;
    if (own) {                       /* the number of the copy is that of its column */
        const char *copy = strchr(r->trail->processes[s->process], '[');
        char *exact = prose_make("%.*s%s", (int)(own - channel), channel, copy ? copy : "");
        free(channel);
        channel = exact;
    }
    s->channel = channel;
    if (sends) {
        s->kind = STEP_SEND;
        s->message = last_message(r, channel);
        const char *constants = strchr(text, '!') + 1;
        if (!s->message && constants[strspn(constants, "0123456789,")] == '\0')
            s->message = message_words(r->x, constants, channel, r->step.line);
        ARRAY_GROW(r->sent, r->sent_count, r->sent_room);
        r->sent[r->sent_count++] = (struct sent){ prose_make("%s", channel), r->trail->count - 1,
                                                  prose_make("%s", s->message ? s->message : "?"), false };
        return;
    }
    s->kind = s->kind == STEP_EVENT ? STEP_EVENT : STEP_RECEIVE;
    for (int i = 0; i < r->sent_count; i++)
        if (!r->sent[i].taken && same_channel(r->sent[i].channel, channel)) {
            r->sent[i].taken = true;
            s->from = r->sent[i].step;
            s->message = prose_make("%s", r->sent[i].message);
            return;
        }
}
