/* A driver that does what its arguments say, and notes it in the file LOG.COPY, of its copy of the box: NAME t2 s sX c ... SPDX-License-Identifier: MIT */
#include <verisoft-driver.h>

#include <fcntl.h>

static void note(const char *name, const char *act, unsigned result)
{
    char text[64], path[4096];
    snprintf(path, sizeof path, "%s.%s", getenv("LOG"), getenv("VERISOFT_COPY"));
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);
    int length = snprintf(text, sizeof text, "%s:%s=%u ", name, act, result);
    if (file < 0 || write(file, text, (size_t)length) != length)
        exit(9);
    close(file);
}

/* What the box does not forget when it is put back. */
static int asked_often(void)
{
    char text[16] = "";
    int file = open(getenv("COUNTER"), O_RDWR | O_CREAT, 0600), n;
    if (file < 0 || read(file, text, sizeof text - 1) < 0)
        exit(7);
    n = atoi(text) + 1;
    if (pwrite(file, text, (size_t)sprintf(text, "%d", n), 0) < 0)
        exit(7);
    close(file);
    return n;
}

int main(int count, char **words)
{
    for (int i = 2; i < count; i++) {
        const char *act = words[i];
        unsigned result = 0;
        switch (*act) {
        case 't': result = vs_toss((unsigned)atoi(act + 1)); break;
        case 's': vs_step(act + 1); break;
        case 'c': vs_check(act[1] != '0'); break;
        case 'S': vs_send("q", act + 1); break;
        case 'R': { char text[16]; result = (unsigned)atoi(vs_receive("q", text, sizeof text)); break; }
        case 'w': vs_wait(act + 1); break;
        case 'p': vs_signal(act + 1); break;
        case 'x': exit(atoi(act + 1));
        case 'k': abort();
        case 'n': if (write(vs_socket(), act + 1, strlen(act + 1)) < 0 || write(vs_socket(), "\n", 1) < 0) exit(8); for (;;) pause();
        case 'h': for (;;) pause();
        case 'm': exit(write(vs_socket(), "\tste", 4) != 4);                                /* the beginning of a request */
        case 'f': if (fork() == 0) for (;;) pause(); break;                      /* somebody stays behind */
        case 'F': if (fork() == 0) { close(vs_socket()); for (;;) pause(); } break;      /* likewise, who cannot ask */
        case 'H': if (write(vs_socket(), "\tstep\t\n\tstep\t\n", 14) != 14) exit(8); for (;;) pause();      /* as two processes that speak at once */
        case 'd': if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); _exit(0); } break;
        case 'g': close(open(strcat(strcpy((char[256]){ 0 }, getenv("VERISOFT_FOLDER")), "/go"), O_CREAT | O_WRONLY, 0600)); break;
        case 'e': vs_check(asked_often() % atoi(act + 1) != 1); break;            /* fails one time in so many, the first among them */
        case 'a': vs_answer(asked_often() % 20 ? "yes" : "no"); break;
        }
        if (getenv("LOG"))
            note(words[1], act, result);
    }
    return 0;
}
