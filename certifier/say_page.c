/* The page for the file of evidence: self-contained, to be printed or kept. SPDX-License-Identifier: MIT */
#include "certifier/say.h"

#include "base/version.h"
#include "base/prose.h"
#include "properties/invariant.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

/* The program's words, and the producer's, are text here, whatever is in them. */
static void put(FILE *out, const char *text)
{
    for (; *text; text++)
        if (prose_entity((unsigned char)*text))
            fputs(prose_entity((unsigned char)*text), out);
        else
            fputc(*text, out);
}

__attribute__((format(printf, 3, 4))) static void row(FILE *out, const char *name, const char *format, ...)
{
    struct prose w = { 0 };
    va_list list;
    va_start(list, format);
    prose_add_list(&w, format, list);
    va_end(list);
    fputs("<tr><th>", out);
    put(out, name);
    fputs("</th><td>", out);
    put(out, w.text);
    fputs("</td></tr>\n", out);
    prose_fini(&w);
}

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}"
    "h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #ddd;overflow-wrap:anywhere}"
    "th{width:14rem;font-weight:600}.verdict{padding:1rem;border-left:.5rem solid;margin:1rem 0}"
    ".certified{border-color:#1a7f37;background:#eaf6ec}.rejected,.errors{border-color:#b3261e;background:#fbeceb}"
    ".incomplete{border-color:#8a6d00;background:#fbf5e0}pre{white-space:pre-wrap;margin:0}";

static void verdict(const struct certify_report *r, FILE *out)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (!memory)
        return;
    say_text(memory, r, 0, false);
    fclose(memory);
    fprintf(out, "<div class=\"verdict %s\"><strong>%s</strong><pre>", certify_results[r->certification->result],
            certify_results[r->certification->result]);
    put(out, text);
    fputs("</pre></div>\n", out);
    free(text);
}

static void here(const struct certify_report *r, FILE *out)
{
    const struct certification *c = r->certification;
    char date[64] = "";
    time_t when = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&when, &utc));
    row(out, "Certified by", "verisoft %s", VERSION);
    row(out, "When", "%s", date);
    row(out, "How", "%s", r->trustful ? "trustful: the script was believed, properties were checked along it"
                                      : "tamper-proof: the script was not believed");
    row(out, r->tree ? "Checked in every execution" : "Checked in every state", "%sassertions, crashes, divergence, declared structure", r->ignore_deadlock ? "" : "deadlock, ");
    for (uint32_t i = 0; r->invariants && i < invariants_count(r->invariants); i++)
        row(out, "Invariant", "%s", invariants_text(r->invariants, i));
    if (r->tree)
        row(out, "Executions", "%s to their end, %s that led to where one had been", say_number(c->executions).text,
            say_number(c->sleep_cut).text);
    else
        row(out, "States", "%s", say_number(c->states).text);
    row(out, "Transitions executed", "%s", say_number(c->transitions).text);
    row(out, "Run by the program itself", "%s transitions, in %s processes", say_number(c->native.transitions).text,
        say_number(c->native.starts).text);
    row(out, r->tree ? "Races that could be reversed, and are" : "Fingerprints kept at a time", "%s",
        say_number(r->tree ? c->races : c->kept).text);
    row(out, "Seconds", "%.2f", c->seconds);
    row(out, "Memory", "%s KB", say_number(r->memory_kb).text);
}

static const char *rests_on(const struct certify_report *r)
{
    if (r->trustful)
        return "the certificate tells of all states, for it was believed";
    return r->tree ? "its types of objects say rightly which operations depend on each other. Neither the producer nor the certificate"
                   : "no two different states have the same 128 bits of fingerprint, nor can random numbers of this kernel be foreseen. "
                     "Neither the producer nor the certificate";
}

int say_page(const void *report, FILE *out)
{
    const struct certify_report *r = report;
    const struct fields *f = r->fields ? r->fields : &(struct fields){ 0 };
    errno = 0;
    fputs("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Certification of ", out);
    put(out, r->program);
    fprintf(out, "</title><style>%s</style></head><body>\n<h1>Certification of ", style);
    put(out, r->program);
    fputs("</h1>\n", out);
    verdict(r, out);
    fputs("<h2>What was done here</h2>\n<table>\n", out);
    here(r, out);
    fputs("</table>\n<h2>What the certificate says</h2>\n<table>\n", out);
    row(out, "certificate", "%s", r->certificate);
    for (uint32_t i = 0; i < f->count; i++)
        row(out, f->all[i].name, "%s", f->all[i].value);
    fprintf(out, "</table>\n<h2>What this rests on</h2>\n<p>The compiler, the C library, the kernel and the processor of this machine; this VeriSoft; "
            "and that %s.</p>\n</body></html>\n", rests_on(r));
    return ferror(out) ? -(errno ? errno : EIO) : 0;
}
