/* Makes up an event machine in @-format, and tells by brute force which events reach it in which control states.
 *
 *     machines SEED FOLDER      writes m.at, m.harness and expected (a line for each property: its name and its verdict; and for each unspecified reception)
 *
 * Text and code are made side by side; the code is then run in all ways: with every event, and both ways where it asks cond().
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 3, VALUES = 3, NAMED = 2, STATES = 4, CODE = 4000 };
enum kind { WAIT, IF_EVENT, IF_VALUE, IF_ANY, ADD, GO, GO_A, GO_B, UNSPECIFIED };

struct code { enum kind kind; int n, otherwise; };       /* n: event, value, state or target; otherwise: where else it goes */

static struct code code[CODE];
static int  count, waits[STATES], states, last_named, unnamed[NAMED];
static char names[STATES][16];
static char text[1 << 18];
static size_t length;
static unsigned long seed;

static int pick(int n)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((seed >> 33) % (unsigned long)n);
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, args);
    va_end(args);
    if (length >= sizeof text)
        exit(2);
}

static int add(enum kind kind, int n)
{
    if (count == CODE)
        exit(2);
    code[count] = (struct code){ kind, n, count + 1 };
    return count++;
}

static void wait_here(int state)
{
    waits[state] = add(WAIT, state);
}

static int lines(void)
{
    int n = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        n++;
    return n;
}

static bool block(int depth);

static bool choice(int depth)
{
    static const enum kind kinds[] = { IF_EVENT, IF_VALUE, IF_ANY };
    enum kind kind = kinds[pick(3)];
    int n = pick(3), test = add(kind, n);
    if (kind == IF_EVENT)      put("if (event == e%d) {\n", n);
    else if (kind == IF_VALUE) put("if (v == %d) {\n", n);
    else                       put("if (cond()) {\n");
    bool goes_on = block(depth - 1);
    if (pick(2)) {
        int behind = goes_on ? add(GO, 0) : -1;
        code[test].otherwise = count;
        put("} else {\n");
        goes_on |= block(depth - 1);
        if (behind >= 0)
            code[behind].n = count;
    } else {
        code[test].otherwise = count;
        goes_on = true;
    }
    put("}\n");
    return goes_on;
}

/* Each case ends with a break, or falls through. */
static bool cases(int depth)
{
    int ends[EVENTS + 1], end_count = 0, entries[EVENTS], tests[EVENTS], first = pick(EVENTS), how_many = 1 + pick(EVENTS);
    bool has_default = pick(2), goes_on = true;
    int line = lines() + 1;
    put("switch (event) {\n");
    for (int i = 0; i < how_many; i++)
        tests[i] = add(IF_EVENT, (first + i) % EVENTS);
    int otherwise = has_default ? add(GO, 0) : add(UNSPECIFIED, line), none = has_default ? -1 : add(GO, 0);
    for (int i = 0; i < how_many; i++) {
        entries[i] = count;
        put("case e%d:;\n", (first + i) % EVENTS);
        goes_on = block(depth - 1);
        if (goes_on && pick(3)) {
            put("break;\n");
            ends[end_count++] = add(GO, 0);
        }
    }
    if (has_default) {
        code[otherwise].n = count;
        put("default:;\n");
        goes_on = block(depth - 1);
    }
    put("}\n");
    for (int i = 0; i < how_many; i++) {         /* a test goes to its case, or to the next test */
        code[tests[i]].otherwise = i + 1 < how_many ? tests[i + 1] : otherwise;
        code[tests[i]].n |= entries[i] << 4;     /* with a target: see step */
    }
    for (int i = 0; i < end_count; i++)
        code[ends[i]].n = count;
    if (none >= 0)
        code[none].n = count;
    return goes_on || end_count || none >= 0;
}

static void loop(void)
{
    int n = pick(VALUES), head = add(IF_VALUE, n);
    put("while (v == %d) {\nv = (v + 1) %% 3;\n", n);
    add(ADD, 1);
    int leaves = -1;
    if (pick(2)) {
        put("if (cond())\nbreak;\n");
        int test = add(IF_ANY, 0);
        leaves = add(GO, 0);
        code[test].otherwise = count;
    }
    put("other();\n}\n");
    add(GO, head);
    code[head].otherwise = count;
    if (leaves >= 0)
        code[leaves].n = count;
}

/* One statement. False: control does not come behind it. */
static bool statement(int depth)
{
    int n = pick(NAMED), what = pick(depth > 0 ? 10 : 5);
    switch (what) {
    case 0:
        put("v = (v + %d) %% 3;\n", n + 1);
        add(ADD, n + 1);
        return true;
    case 1:
        put("other();\n");
        return true;
    case 2: case 3:
        put("goto %c_S%d;\n", what == 2 || pick(2) ? 'B' : 'A', n);
        add(text[length - 6] == 'B' ? GO_B : GO_A, n);
        return false;
    case 4:
        if (states == STATES)
            return true;
        put("@:;\n");
        snprintf(names[states], sizeof names[0], "S%d_%d", last_named, ++unnamed[last_named]);
        wait_here(states++);
        return true;
    case 5: loop(); return true;
    case 6: return cases(depth);
    default: return choice(depth);
    }
}

static bool block(int depth)
{
    for (int i = 1 + pick(3); i > 0; i--)
        if (!statement(depth))
            return false;
    return true;
}

static void machine(void)
{
    put("enum { e0, e1, e2 };\nint cond(void);\nvoid other(void);\nvoid m(int event)\n{\nstatic int state = 1;\nstatic int v = 0;\n"
        "goto start;\n");
    states = NAMED;
    for (int i = 0; i < NAMED; i++) {
        snprintf(names[i], sizeof names[i], "S%d", i);
        put("@S%d:;\n%s", i, i ? "" : "if (event == e0 || event == e1 || event == e2)\nother();\n");  /* so that all events have a name */
        last_named = i;
        wait_here(i);
        if (block(3)) {
            int to = pick(NAMED);
            put("goto B_S%d;\n", to);
            add(GO_B, to);
        }
    }
    put("start:\nswitch (state) { @@ }\nerror:\nout:;\n}\n");
}

/* ---- brute force ---- */

static bool seen[CODE][VALUES][EVENTS + 1][STATES], pair[STATES][EVENTS], unspecified;
static bool unmet[CODE][STATES][EVENTS];          /* of each switch without a default */

static void run(int pc, int v, int event, int state);

static void take_event(int state, int v)
{
    for (int e = 0; e < EVENTS; e++) {
        pair[state][e] = true;
        run(waits[state] + 1, v, e, state);
    }
}

/* state: in which the event came; A_ leads to a response of another one. */
static void run(int pc, int v, int event, int state)
{
    while (!seen[pc][v][event][state]) {
        const struct code *c = &code[pc];
        seen[pc][v][event][state] = true;
        switch (c->kind) {
        case WAIT:     take_event(c->n, v); return;
        case IF_EVENT: pc = (c->n & 15) != event ? c->otherwise : c->n >> 4 ? c->n >> 4 : pc + 1; break;
        case IF_VALUE: pc = c->n != v ? c->otherwise : pc + 1; break;
        case IF_ANY:   run(c->otherwise, v, event, state); pc++; break;
        case ADD:      v = (v + c->n) % VALUES; pc++; break;
        case GO:       pc = c->n; break;
        case GO_A:     pc = waits[c->n] + 1; break;
        case GO_B:     pc = waits[c->n]; break;
        case UNSPECIFIED: unspecified = unmet[pc][state][event] = true; pc++; break;
        }
    }
}

/* ---- files ---- */

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        exit(2);
    }
    return out;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    seed = strtoul(argv[1], NULL, 10) * 7919 + 1;
    machine();
    run(waits[0], 0, EVENTS, 0);
    FILE *source = create(argv[2], "m.at"), *harness = create(argv[2], "m.harness"), *expected = create(argv[2], "expected");
    fputs(text, source);
    fputs("verisoft harness 1\nsource m.at\nmachine m\nmap\n    v    keep\nend\nwithout deadlock\nwithout progress\nwithout assertions\n"
          "driver\nactive proctype any() { do :: m_in!e0 :: m_in!e1 :: m_in!e2 od }\nend\n", harness);
    fprintf(expected, "unspecified %s\n", unspecified ? "failed" : "verified");
    for (int pc = 0; pc < count; pc++)
        for (int s = 0; s < STATES; s++)
            for (int e = 0; e < EVENTS; e++)
                if (unmet[pc][s][e])
                    fprintf(expected, "m.at:%d: in state %s: e%d\n", code[pc].n, names[s], e);
    for (int s = 0; s < states; s++)
        for (int e = 0; e < EVENTS; e++) {
            fprintf(harness, "property %s-e%d\n    symbol here m@%s && m.event == e%d\n    violation <>here\nend\n", names[s], e, names[s], e);
            fprintf(expected, "%s-e%d %s\n", names[s], e, pair[s][e] ? "failed" : "verified");
        }
    return fclose(source) | fclose(harness) | fclose(expected) ? 2 : 0;
}
