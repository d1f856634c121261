/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include "base/prose.h"

#include <stdarg.h>

const char *page_colour(const struct page *page, const char *code) { return page->look.colour ? code : ""; }
const char *page_plain(const struct page *page) { return page_colour(page, "\033[0m"); }

struct number page_number(uint64_t value)
{
    char digits[24];
    struct number n;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *to = n.text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = 0;
    return n;
}

struct number page_about(double value)
{
    struct number n;
    if (value < 1e15)
        return page_number((uint64_t)(value + 0.5));
    snprintf(n.text, sizeof n.text, "%.1e", value);
    return n;
}

void page_paragraph(const struct page *page, const char *text, int indent, int hang)
{
    prose_wrap(page->out, text, indent, indent + hang, page->look.width);
}

void page_say(const struct page *page, const char *format, ...)
{
    struct prose w = { 0 };
    va_list args;
    va_start(args, format);
    prose_add_list(&w, format, args);
    va_end(args);
    page_paragraph(page, w.text, 0, 0);
    prose_fini(&w);
}
