/* vs, for drivers that are shell scripts: vs toss 3, vs step, vs check WORDS -- TEST, ... (doc/drivers.md).
 * SPDX-License-Identifier: MIT */
#include "verisoft-driver.h"

#include <sys/wait.h>

static int usage(void)
{
    fputs("vs: a driver's words to VeriSoft:\n"
          "  vs toss N               prints any of 0 to N; every one is tried\n"
          "  vs step [INTERFACE [WORDS]]   what follows, up to the next of these, speaks to the box\n"
          "  vs look [INTERFACE [WORDS]]   the same, where nothing is changed\n"
          "  vs check WORDS COMMAND...   an error if the command fails\n"
          "  vs assume COMMAND...    no more is tried here if the command fails\n"
          "  vs wait SEMAPHORE, vs signal SEMAPHORE\n"
          "  vs send QUEUE MESSAGE, vs receive QUEUE   the latter prints it\n"
          "  vs event OBJECT OPERATION [WORDS]   what follows is really that: send, receive, wait, signal, step or look\n"
          "  vs print WORDS, vs answer WORDS   for the report; what the box answered is compared\n", stderr);
    return 2;
}

static int holds(char **command)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execvp(command[0], command);
        fprintf(stderr, "vs: %s cannot be run\n", command[0]);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        _exit(126);
    return status == 0;
}

/* As it was typed, as far as there is room. */
static const char *in_words(char **command)
{
    static char text[1024];
    for (; *command; command++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? " " : "", *command);
    return text;
}

/* Where the script says so itself: VS_AT="$0:$LINENO" vs ... */
static const char *place(void) { return getenv("VS_AT") ? getenv("VS_AT") : ""; }

int main(int count, char **words)
{
    static char message[65536];
    const char *what = count > 1 ? words[1] : "", *first = count > 2 ? words[2] : "";
    if (!strcmp(what, "toss") && count == 3 && *first && !first[strspn(first, "0123456789")]) {
        srand((unsigned)getpid());
        printf("%u\n", vs_toss_at(place(), (unsigned)strtoul(first, NULL, 10)));
    } else if (!strcmp(what, "check") && count > 3) {
        vs_check_at(place(), holds(words + 3), first);
    } else if (!strcmp(what, "assume") && count > 2) {
        vs_assume_at(place(), holds(words + 2), in_words(words + 2));
    } else if ((!strcmp(what, "step") || !strcmp(what, "look")) && count <= 4) {
        vs_say_at(place(), what, first, count > 3 ? words[3] : NULL);
    } else if (!strcmp(what, "send") && count == 4) {
        vs_say_at(place(), what, first, words[3]);
    } else if (!strcmp(what, "receive") && count == 3) {
        puts(vs_receive_at(place(), first, message, sizeof message));
    } else if (!strcmp(what, "event") && (count == 4 || count == 5)) {
        vs_event_at(place(), first, words[3], count > 4 ? words[4] : NULL);
    } else if ((!strcmp(what, "wait") || !strcmp(what, "signal") || !strcmp(what, "print") || !strcmp(what, "answer")) && count == 3) {
        vs_say_at(place(), what, first, NULL);
    } else {
        return usage();
    }
    return 0;
}
