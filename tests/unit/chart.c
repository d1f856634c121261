/* Charts: both ways to write one hold every event, arrow, hold and note, whatever the texts are made of.
 * With a folder as argument it also leaves pictures there, to be looked at.
 * SPDX-License-Identifier: MIT */
#include "simulator/chart.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = UINT32_MAX };

static char *written(const struct chart *c, void (*write)(const struct chart *, FILE *))
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        abort();
    write(c, out);
    fclose(out);
    CHECK(strlen(text) == length);
    return text;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        found++;
    return found;
}

/* ---- SVG is well-formed: elements nest, attributes are quoted, text is escaped UTF-8 without control characters ---- */

static const char *skip_tag(const char *at, char *name, size_t room, bool *empty)
{
    size_t used = 0;
    while (*at && !strchr(" />\n", *at) && used + 1 < room)
        name[used++] = *at++;
    name[used] = '\0';
    bool quoted = false;
    char last = 0;
    for (; *at && (quoted || *at != '>'); last = *at++)
        quoted ^= *at == '"';
    *empty = last == '/';
    return *at ? at + 1 : at;
}

static bool good_text(const char *text)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;" };
    for (; *text; text++) {
        bool known = *text != '&';
        for (int i = 0; i < 4; i++)
            known |= !strncmp(text, entities[i], strlen(entities[i]));
        if (!known || ((unsigned char)*text < 0x20 && *text != '\n'))
            return false;
    }
    return true;
}

static bool well_formed(const char *text)
{
    char stack[8][16], name[16];
    int depth = 0;
    bool empty;
    if (!good_text(text) || strncmp(text, "<?xml ", 6))
        return false;
    for (const char *at = strstr(text, "?>") + 2; (at = strchr(at, '<'));) {
        if (at[1] == '/') {
            at = skip_tag(at + 2, name, sizeof name, &empty);
            if (!depth || strcmp(stack[--depth], name))
                return false;
            continue;
        }
        at = skip_tag(at + 1, name, sizeof name, &empty);
        if (!empty && depth == 8)
            return false;
        if (!empty)
            strcpy(stack[depth++], name);
    }
    return depth == 0;
}

/* ---- PostScript: brackets match outside of strings, lines are short, only ASCII ---- */

static bool good_postscript(const char *text)
{
    int string = 0, column = 0, braces = 0;
    for (; *text; text++) {
        column = *text == '\n' ? 0 : column + 1;
        if ((unsigned char)*text >= 0x7f || ((unsigned char)*text < 0x20 && *text != '\n') || column > 255)
            return false;
        if (*text == '\\' && string) {
            text++;
            continue;
        }
        string += *text == '(' ? 1 : *text == ')' ? -1 : 0;
        braces += string ? 0 : *text == '{' ? 1 : *text == '}' ? -1 : 0;
        if (string < 0 || string > 1 || braces < 0)
            return false;
    }
    return !string && !braces;
}

/* ---- charts ---- */

static const char *const lanes[] = { "process 1", "process 2", "process 3" };
static const uint32_t second[] = { 1 }, both[] = { 1, 4 }, raced[] = { 10 };

static const struct chart_event events[] = {
    { 1, "VS_toss(3) = 1", CHART_OTHER, NOBODY, NULL, 0, NULL, NULL, 0 },
    { 1, "send_to_queue(0, \"room_is_hot\")", CHART_SEND, 0, NULL, 0, "the room is hot\nand the door is open", NULL, 0 },
    { 2, "semwait(1, 0, 1)", CHART_TAKE, 1, NULL, 0, NULL, NULL, 0 },
    { 0, "rcv_from_queue(0) = \"room_is_hot\"", CHART_RECEIVE, 0, second, 1, NULL, NULL, 0 },
    { 2, "write(5, \"<&> \\\"(x)\")", CHART_SEND, 7, NULL, 0, NULL, NULL, 0 },
    { 2, "semwait(2, 0, 1)", CHART_TAKE, 2, NULL, 0, "two at once", NULL, 0 },
    { 0, "read(4) = \"caf\303\251 \342\202\254\"", CHART_RECEIVE, 7, both, 2, NULL, NULL, 0 },
    { 2, "semsignal(1, 0, 1)", CHART_GIVE, 1, NULL, 0, NULL, NULL, 0 },
    { 1, "semwait(1, 0, 1)", CHART_TAKE, 1, NULL, 0, NULL, NULL, 0 },
    { 0, "semsignal(1, 0, 1)", CHART_GIVE, 1, NULL, 0, NULL, NULL, 0 },
    { 2, "read x (0)", CHART_OTHER, 9, NULL, 0, NULL, NULL, 0 },
    { 0, "write x (0 to 1)", CHART_OTHER, 9, NULL, 0, NULL, .raced = raced, .raced_count = 1 },
};

static struct chart sample(bool color)
{
    return (struct chart){ .title = "Too hot (& \"closed\")", .color = color, .lanes = lanes, .lane_count = 3, .events = events,
                           .count = sizeof events / sizeof *events, .condition = "assertion at depth 10: main.c:77: "
                           "VS_assert(ac) is false "
                           "in process 1, and this is a long sentence that has to go on in the next line of the box" };
}

static void test_svg(void)
{
    struct chart c = sample(true);
    char *text = written(&c, chart_svg);
    CHECK(well_formed(text));
    CHECK(count(text, "class=\"head\"") == 3);
    CHECK(count(text, "class=\"label\"") == 12);
    CHECK(count(text, "class=\"arrow\"") == 3 && count(text, "class=\"race\"") == 1);
    CHECK(count(text, "class=\"bar ") == 3);
    CHECK(count(text, "class=\"note\"") == 3);
    CHECK(count(text, "class=\"wrong\"") >= 2);
    CHECK(strstr(text, ">write(5, &quot;&lt;&amp;&gt; \\&quot;(x)&quot;)<"));
    CHECK(strstr(text, "caf\303\251 \342\202\254"));
    CHECK(strstr(text, "#b00020"));
    free(text);
    c.color = false;
    text = written(&c, chart_svg);
    CHECK(well_formed(text));
    CHECK(!strstr(text, "#b00020") && count(text, "<pattern ") == 6);
    free(text);
}

static void test_postscript(void)
{
    struct chart c = sample(true);
    char *text = written(&c, chart_ps);
    CHECK(good_postscript(text));
    CHECK(!strncmp(text, "%!PS-Adobe-3.0\n", 15));
    CHECK(count(text, "\n%%Page: ") == 1 && strstr(text, "%%Pages: 1\n"));
    CHECK(count(text, " Label\n") == 12 && count(text, " Arrow\n") == 4 && count(text, "\nRace ") == 1 && count(text, " Note\n") == 3);
    CHECK(count(text, " Bar1\n") == 2 && count(text, " Bar2\n") == 1);
    CHECK(strstr(text, "\\(5, \"<&> \\\\\"\\(x\\)\"\\)"));
    CHECK(strstr(text, "caf\\351 ?"));
    free(text);
    c.color = false;
    text = written(&c, chart_ps);
    CHECK(good_postscript(text) && !strstr(text, "setrgbcolor"));
    free(text);
}

/* ---- sizes ---- */

static struct chart_event *many_events(uint32_t amount, int processes, uint32_t *from)
{
    struct chart_event *all = calloc(amount + 1, sizeof *all);
    if (!all)
        abort();
    for (uint32_t i = 0; i < amount; i++) {
        all[i] = (struct chart_event){ (int)(i % (uint32_t)processes), i % 2 ? "receive(1)" : "send(1, \"x\")",
                                       i % 2 ? CHART_RECEIVE : CHART_SEND, 1, NULL, 0, NULL, NULL, 0 };
        from[i] = i ? i - 1 : 0;
        if (i % 2)
            all[i].from = &from[i], all[i].from_count = 1;
    }
    return all;
}

static void test_size(uint32_t amount, int processes)
{
    uint32_t *from = calloc(amount + 1, sizeof *from);
    const char **names = calloc((size_t)processes + 1, sizeof *names);
    if (!from || !names)
        abort();
    struct chart_event *all = many_events(amount, processes, from);
    for (int i = 0; i < processes; i++)
        names[i] = "a process with a rather long name";
    struct chart c = { .color = true, .lanes = names, .lane_count = processes, .events = all, .count = amount };
    char *svg = written(&c, chart_svg), *ps = written(&c, chart_ps), pages[32];
    int labels = count(ps, " Label\n"), sends = ((int)amount + 1) / 2;         /* in narrow lanes a send takes two lines */
    CHECK(well_formed(svg) && count(svg, "class=\"label\"") == (int)amount && count(svg, "class=\"arrow\"") == (int)amount / 2);
    CHECK(good_postscript(ps) && (labels == (int)amount || labels == (int)amount + sends) && count(ps, " Arrow\n") >= (int)amount / 2);
    snprintf(pages, sizeof pages, "%%%%Pages: %d\n", count(ps, "\n%%Page: "));
    CHECK(strstr(ps, pages));
    CHECK(count(ps, "showpage\n") == count(ps, "\n%%Page: "));
    free(svg);
    free(ps);
    free(all);
    free(from);
    free(names);
}

/* ---- any bytes ---- */

static void test_bytes(void)
{
    char text[40], notes[300];
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)((seed = seed * 1103515245 + 12345) >> 16);
        for (size_t i = 0; i < sizeof notes; i++)
            notes[i] = i % 9 ? (char)((seed = seed * 1103515245 + 12345) >> 16) : '\n';
        text[sizeof text - 1] = notes[sizeof notes - 1] = '\0';
        const char *names[] = { text };
        struct chart_event e = { 0, text, CHART_TAKE, seed % 9, NULL, 0, notes, NULL, 0 };
        struct chart c = { .title = text, .color = round % 2, .lanes = names, .lane_count = 1, .events = &e, .count = 1,
                           .condition = notes };
        char *svg = written(&c, chart_svg), *ps = written(&c, chart_ps);
        CHECK(well_formed(svg));
        CHECK(good_postscript(ps));
        free(svg);
        free(ps);
    }
}

static void leave(const char *folder, const char *name, const struct chart *c, void (*write)(const struct chart *, FILE *))
{
    char file[4096];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "w");
    if (!out)
        abort();
    write(c, out);
    fclose(out);
}

static void leave_pictures(const char *folder)
{
    struct chart color = sample(true), plain = sample(false);
    leave(folder, "color.svg", &color, chart_svg);
    leave(folder, "plain.svg", &plain, chart_svg);
    leave(folder, "color.ps", &color, chart_ps);
    leave(folder, "plain.ps", &plain, chart_ps);
}

int main(int argc, char **argv)
{
    struct chart nothing = { .lane_count = 0 };
    test_svg();
    test_postscript();
    test_size(0, 1);
    test_size(1, 1);
    test_size(300, 2);
    test_size(300, 64);
    test_size(10000, 5);
    test_bytes();
    free(written(&nothing, chart_svg));
    free(written(&nothing, chart_ps));
    if (argc > 1)
        leave_pictures(argv[1]);
    return failures != 0;
}
