/* SPDX-License-Identifier: MIT */
#include "web/clients.h"

#include "base/memory.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

void clients_init(struct clients *all, int most)
{
    *all = (struct clients){ .most = most };
    all->strangers.next = all->strangers.before = &all->strangers;
    all->known.next = all->known.before = &all->known;
}

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* Half of what is free stays so: for gdb, files and the program. */
int clients_room(int wanted)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > INT_MAX)
        return wanted;
    int room = ((int)limit.rlim_cur - open_files()) / 2;
    return room > wanted ? wanted : room > 1 ? room : 1;
}

static bool is_alone(const struct client *c) { return c->next == c; }

static void take_out(struct client *c)
{
    c->before->next = c->next;
    c->next->before = c->before;
    c->next = c->before = c;
}

static void put_last(struct client *row, struct client *c)
{
    c->next = row;
    c->before = row->before;
    row->before->next = c;
    row->before = c;
}

/* Its end is noticed by who reads from it. */
static void send_away(struct clients *all, struct client *c)
{
    take_out(c);
    all->count--;
    shutdown(c->fd, SHUT_RDWR);
}

struct client *clients_come(struct clients *all, int fd)
{
    struct client *c = memory_get(sizeof *c);
    if (all->count == all->most)
        send_away(all, is_alone(&all->strangers) ? all->known.next : all->strangers.next);
    c->fd = fd;
    put_last(&all->strangers, c);
    all->count++;
    return c;
}

void clients_heard(struct clients *all, struct client *c)
{
    if (is_alone(c))
        return;
    take_out(c);
    put_last(&all->known, c);
}

void clients_leave(struct clients *all, struct client *c)
{
    if (!is_alone(c))
        all->count--;
    take_out(c);
    free(c);
}
