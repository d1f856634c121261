/* Runs a command for which system calls are refused (EPERM), as a container may do:
 *
 *     refused NUMBER,NUMBER... COMMAND ARGUMENT...
 *
 * SPDX-License-Identifier: MIT */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST = 32 };

int main(int count, char **words)
{
    struct sock_filter code[2 * MOST + 2] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0) };
    unsigned short used = 1;
    char *at = count > 2 ? words[1] : "";
    for (int i = 0; *at && i < MOST; i++, at += *at == ',') {
        code[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)strtoul(at, &at, 10), 0, 1);
        code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1);
    }
    code[used++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { used, code };
    if (used < 3 || *at || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        fprintf(stderr, "refused: cannot refuse system calls here\n");
        return 77;
    }
    execvp(words[2], words + 2);
    perror(words[2]);
    return 127;
}
