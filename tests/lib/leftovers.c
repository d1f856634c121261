/* Lists what a test left behind: processes whose program or TMPDIR is in the folder, and files in its TMPDIR.
 *
 *     leftovers FOLDER TMPDIR [SECONDS]         waits so long for them to go; ends with 1 when some stay
 *
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool works_in(const char *pid, const char *folder)
{
    static char text[1 << 17];
    char path[64], wanted[4200];
    snprintf(wanted, sizeof wanted, "TMPDIR=%.4000s/", folder);
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text);
    if (file >= 0)
        close(file);
    return length > 0 && memmem(text, (size_t)length, wanted, strlen(wanted));
}

static bool program_is_in(const char *pid, const char *folder, char *exe, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/exe", pid);
    ssize_t length = readlink(path, exe, room - 1);
    exe[length > 0 ? length : 0] = '\0';
    return !strncmp(exe, folder, strlen(folder)) && exe[strlen(folder)] == '/';      /* not that of a test whose name only begins so */
}

static long parent_of(long pid)
{
    char path[64];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    FILE *file = fopen(path, "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "PPid: %ld", &parent) == 1)
            break;
    if (file)
        fclose(file);
    return parent;
}

enum { KIN = 64 };

/* This process and those it comes from: the test that asks. */
static int kin(long *pids)
{
    int count = 0;
    for (long p = getpid(); p > 1 && count < KIN; p = parent_of(p))
        pids[count++] = p;
    return count;
}

static bool is_one_of(long pid, const long *pids, int count)
{
    for (int i = 0; i < count; i++)
        if (pids[i] == pid)
            return true;
    return false;
}

static int processes(const char *folder, bool tell)
{
    struct dirent *entry;
    int found = 0;
    char exe[4096];
    long ours[KIN];
    int count = kin(ours);
    DIR *proc = opendir("/proc");
    while (proc && (entry = readdir(proc))) {
        if (!isdigit((unsigned char)*entry->d_name) || is_one_of(atol(entry->d_name), ours, count))
            continue;
        if (!program_is_in(entry->d_name, folder, exe, sizeof exe) && !works_in(entry->d_name, folder))
            continue;
        found++;
        if (tell)
            printf("left behind: process %s, %s\n", entry->d_name, exe);
    }
    if (proc)
        closedir(proc);
    return found;
}

static int files(const char *folder, bool tell)
{
    struct dirent *entry;
    int found = 0;
    DIR *open = opendir(folder);
    while (open && (entry = readdir(open))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        found++;
        if (tell)
            printf("left behind: %s/%s\n", folder, entry->d_name);
    }
    if (open)
        closedir(open);
    return found;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int patience = argc > 3 ? atoi(argv[3]) : 3;
    for (int tenth = 0; tenth < 10 * patience; tenth++) {
        if (!processes(argv[1], false) && !files(argv[2], false))
            return 0;
        usleep(100000);
    }
    return processes(argv[1], true) + files(argv[2], true) != 0;
}
