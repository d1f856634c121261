/* A child sends back what it reads, until there is no more. SPDX-License-Identifier: MIT */
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int there[2], back[2];
    char text[100];
    if (pipe(there) || pipe(back))
        return 1;
    if (fork() == 0) {
        for (ssize_t got; (got = read(there[0], text, sizeof text)) > 0;)
            if (write(back[1], text, (size_t)got) < 0)
                _exit(1);
        _exit(0);
    }
    if (write(there[1], "ping", 4) < 0 || read(back[0], text, sizeof text) < 0)
        return 1;
    close(there[1]);
    wait(NULL);
    return 0;
}
