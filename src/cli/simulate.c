/* The simulate command, and the -simul of the 2001 manual: the simulator in the browser, or in the terminal.
 * SPDX-License-Identifier: MIT */
#include "cli/plan.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "simulator/protocol.h"
#include "simulator/terminal.h"
#include "web/server.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* Nobody reads any more: that is no failure of ours. */
static int write_failed(int failed, struct err *err)
{
    if (failed == -EPIPE)
        return 0;
    errno = -failed;
    return fail_errno(err, "standard output: the answers cannot be written");
}

static int in_terminal(struct protocol *protocol, const struct settings *s, struct err *err)
{
    const struct terminal_settings settings = {
        .in = STDIN_FILENO, .out = stdout, .person = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
        .color = terminal_look(s).colour, .width = terminal_look(s).width, .interrupt = signals_interrupt(),
    };
    int failed = terminal_run(protocol, &settings);
    return failed && failed != -EINTR ? write_failed(failed, err) : failed;
}

static json_t  *handle(void *self, json_t *request) { return protocol_handle(self, request); }
static uint64_t seq(void *self) { return protocol_seq(self); }
static bool     over(void *self) { return protocol_over(self); }

static const struct site the_site = { .name = "the simulator", .title = "VeriSoft simulator", .page = "", .without = "verisoft -simul --terminal needs none",
                                      .handle = handle, .seq = seq, .over = over };

static int in_browser(struct protocol *protocol, const struct settings *s, struct err *err)
{
    const struct server_settings settings = {
        .port = (int)s->values[OPTION_port].number, .browser = !s->values[OPTION_no_browser].number,
        .interrupt = signals_interrupt(),
    };
    struct site site = the_site;
    site.self = protocol;
    return server_run(&site, &settings, err);
}

static int check_options(const struct settings *s, struct err *err)
{
    bool terminal = s->values[OPTION_terminal].number;
    bool port = settings_given(s, OPTION_port);
    if (terminal && (port || settings_given(s, OPTION_no_browser)))
        return fail(err, "%s is for the page in the browser, which --terminal does without; leave one of them out",
                    port ? "--port" : "--no-browser");
    if (!terminal && !server_has_page(&the_site))
        return fail(err, "the page for the browser is not part of this build, because Node.js was missing when it was made; "
                    "--terminal works without it");
    return 0;
}

static int simulate(struct plan *p, struct err *err)
{
    const struct settings *s = &p->request.settings;
    bool terminal = s->values[OPTION_terminal].number;
    struct protocol *protocol;
    int failed = check_options(s, err);
    if (failed)
        return failed;
    failed = protocol_new(&protocol, &p->job, p->request.scenario, err);
    if (failed)
        return failed;
    failed = terminal ? in_terminal(protocol, s, err) : in_browser(protocol, s, err);
    protocol_free(protocol);
    return failed;
}

static int run(const char *self, int count, char **words)
{
    struct plan plan;
    struct err err;
    int failed = plan_make(&plan, &command_simulate, self, count, words, &err);
    if (!failed)
        failed = simulate(&plan, &err);
    int code = failed ? command_failed(failed, &err) : EXIT_COMPLETE;
    plan_free(&plan);
    return code;
}

const struct command command_simulate = {
    .name     = "simulate",
    .synopsis = "PROGRAM|SUITE.toml -simul [SCENARIO.path] [options] [-- program's arguments]",
    .summary  = "see, drive and debug a scenario, forwards and backwards, in the browser (also: verisoft simulate PROGRAM ...)",
    .options  = IN_SIMULATE,
    .scenario = true,
    .run      = run,
};
