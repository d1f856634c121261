/* Pays 5 or 20 into one of the two accounts: reads it, writes the sum, and looks again. What it wrote must be there then, or more: others only
 * pay in, too. SPDX-License-Identifier: MIT */
#include <verisoft-driver.h>

#include <arpa/inet.h>
#include <sys/socket.h>

static int box;

static int ask(const char *account, const char *request)
{
    char line[64];
    snprintf(line, sizeof line, "%s\n", request);
    vs_step(account);
    if (write(box, line, strlen(line)) < 0 || read(box, line, sizeof line) <= 0)
        exit(1);
    line[strcspn(line, "\n")] = '\0';
    vs_answer(line);
    return atoi(line);
}

int main(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                              .sin_port = htons((unsigned short)atoi(getenv("VERISOFT_PORT"))) };
    box = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(box, (struct sockaddr *)&at, sizeof at))
        return 1;
    char account[16], get[32], set[48];
    snprintf(account, sizeof account, "account%u", vs_toss(1));
    int amount = vs_toss(1) ? 5 : 20;
    snprintf(get, sizeof get, "get %s", account);
    int before = ask(account, get);
    snprintf(set, sizeof set, "set %s %d", account, before + amount);
    ask(account, set);
    int after = ask(account, get);
    vs_check(after >= before + amount);
    return 0;
}
