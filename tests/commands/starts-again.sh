# starts-again: the report says why a program with threads is started again instead of its memory put back; not for names.
# SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > two.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *argument)
{
#ifdef NAME
    prctl(PR_SET_NAME, "worker");
    sem_open("/name", O_CREAT, 0600, 1);
#else
    (void)!chdir("/");
#endif
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, worker, NULL);
    worker(NULL);
    pthread_join(other, NULL);
    return 0;
}
END
${CC:-cc} -g -pthread -o folder two.c
${CC:-cc} -g -pthread -DNAME -o name two.c
verisoft ./folder --json report.json > said
is "exit status" 0 $?
is "said" 1 "$(tr '\n' ' ' < said | grep -c 'started again instead of its memory put back, which is slower: it calls chdir()')"
is "json" 1 "$(grep -c '"starts_again": "chdir"' report.json)"
is "restores" 1 "$(grep -c '"restores": 0' report.json)"
verisoft ./name --json report.json > said
is "exit status" 0 $?
is "said" 0 "$(grep -c 'started again' said)"
is "json" 0 "$(grep -c starts_again report.json)"
is "restores" 0 "$(grep -c '"restores": 0' report.json)"
exit $failed
