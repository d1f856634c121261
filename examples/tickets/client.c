/* Asks the server for a ticket (server.c says more). SPDX-License-Identifier: MIT */
#include "common.h"

#include <assert.h>
#include <signal.h>

static int connected(const char *port)                           /* -1: nobody is there */
{
    struct sockaddr_in server = address_of(port);
    for (int tries = 0; tries < 2; tries++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&server, sizeof server) == 0)
            return fd;
        close(fd);
        sleep(1);
    }
    return -1;
}

int main(int count, char **words)
{
    char length = 1, wish = 'A', sold[2];
    signal(SIGPIPE, SIG_IGN);
    int server = connected(count > 1 ? words[1] : "8080");
    if (server < 0)
        return 0;
    if (write(server, &length, 1) != 1 || write(server, &wish, 1) != 1)
        return 0;                                                /* the server has closed already */
    if (read_all(server, sold, 2) == 2)
        assert(sold[0] == 1 && sold[1] == 'A');
    close(server);
    return 0;
}
