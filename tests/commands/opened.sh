# What was opened by a name is told by it, and scenarios from before that was so are still followed. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > opened.c <<'END'
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
    struct mq_attr small = { .mq_maxmsg = 1, .mq_msgsize = 8 };
    sem_t *turn = sem_open("/turn", O_CREAT, 0600, 1), *odd = sem_open("/#a (b", O_CREAT, 0600, 0);
    mqd_t jobs = mq_open("/jobs", O_CREAT | O_RDWR, 0600, &small);
    int memory = shm_open("/board", O_CREAT | O_RDWR, 0600);
    sem_wait(turn);
    sem_post(odd);
    mq_send(jobs, "a", 2, 0);
    if (fork() == 0) {
        sem_wait(sem_open("/turn", 0));
        _exit(memory < 0);
    }
    mq_send(jobs, "b", 2, 0);
    return 0;
}
END
must ${CC:-gcc} -g -o opened opened.c -pthread -lrt
line "verisoft ./opened | sed -n '/^ *step/,/^ *see it happen/p'"
cat > old.path <<'END'
verisoft-path 1
1  start
1  names of semaphores
1  sem_init(turn[9], 1)
1  names of semaphores
1  names of semaphores
1  sem_init(POSIX semaphore 2 of process 1, 0)
1  names of semaphores
1  mq_open
1  msgget(0)
1  shm_open
1  sem_wait(turn[9])
1  sem_post(POSIX semaphore 2 of process 1)
1  mq_send(0, 2 bytes of type 1) = 0
1  fork = process 2
2  start
2  names of semaphores
END
run verisoft replay ./opened old.path
sed -i 's/sem_wait(turn.9.)/sem_wait(POSIX semaphore 2 of process 1)/' old.path
run verisoft replay ./opened old.path
