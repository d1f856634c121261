/* Runs a command, its standard output into a file, and prints one line: seconds it took, seconds of processor it and its
 * children used, kilobytes of the largest of them. Processor time is what to compare on a machine that others use too.
 *     measure FILE COMMAND [ARGUMENT ...]
 * Fails as the command does, except for status 1: VeriSoft's word for errors found.
 * SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static _Noreturn void become(const char *file, char **command)
{
    int out = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out < 0 || dup2(out, 1) < 0) {
        perror(file);
        _exit(2);
    }
    execvp(command[0], command);
    perror(command[0]);
    _exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    double start = now();
    pid_t child = fork();
    if (child == 0)
        become(argv[1], argv + 2);
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) < 0) {
        perror("measure");
        return 2;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "measure: %s failed\n", argv[2]);
        return 2;
    }
    printf("%.4f %.4f %ld\n", now() - start, seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
    return 0;
}
