/* Opens connections to the loopback address, says something on each, and then nothing any more:
 *
 *     hold PORT COUNT TEXT          prints a line when all are open; waits to be killed then
 *
 * TEXT has \r and \n for those characters.
 * SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t plain(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '\\' && (from[1] == 'r' || from[1] == 'n'))
            *to++ = *++from == 'r' ? '\r' : '\n';
        else
            *to++ = *from;
    }
    return (size_t)(to - text);
}

static int open_one(int port, const char *text, size_t length)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof address)
        && write(fd, text, length) == (ssize_t)length ? 0 : -1;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    size_t length = plain(argv[3]);
    for (int i = 0; i < atoi(argv[2]); i++)
        if (open_one(atoi(argv[1]), argv[3], length)) {
            perror("hold");
            return 1;
        }
    puts("open");
    fflush(stdout);
    pause();
    return 0;
}
