# A scenario of sockets says what the program called, and by which address; a file in the words of before is still read. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
cat > program.c <<'END_OF_PROGRAM'
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <string.h>
#include <unistd.h>
static struct sockaddr_in at = { .sin_family = AF_INET };
static void *client(void *unused)
{
    char got[8];
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    connect(fd, (struct sockaddr *)&at, sizeof at);
    send(fd, "hello", 5, 0);
    recv(fd, got, 8, 0);
    shutdown(fd, SHUT_WR);
    recv(fd, got, 8, 0);
    close(fd);
    return unused;
}
int main(void)
{
    pthread_t t;
    char got[8];
    at.sin_port = htons(7070);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(fd, 4) == 0);
    pthread_create(&t, NULL, client, NULL);
    int c = accept(fd, NULL, NULL);
    recv(c, got, 8, 0);
    send(c, "hi", 2, 0);
    recv(c, got, 8, 0);
    int u = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(u, "x", 1, 0, (struct sockaddr *)&at, sizeof at);
    struct sockaddr_un n = { .sun_family = AF_UNIX, .sun_path = "here" };
    int un = socket(AF_UNIX, SOCK_STREAM, 0), uc = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(un, (struct sockaddr *)&n, sizeof n); listen(un, 1);
    connect(uc, (struct sockaddr *)&n, sizeof n);
    int ua = accept(un, 0, 0);
    write(ua, "abc", 3); read(uc, got, 3); close(ua); close(uc);
    pthread_join(t, NULL);
    return 0;
}
END_OF_PROGRAM
must ${CC:-gcc} -g -pthread -o program program.c
verisoft ./program --json report.json > said 2>&1
is "a deadlock" 1 $?
words() { sed -n '/^1/,$p' "$1" | sed 's/ *#.*//'; }
cat > expected <<'END'
1  start
1  bind(127.0.0.1:7070/tcp)
1  listen(127.0.0.1:7070/tcp) opens = 0
1  listen(127.0.0.1:7070/tcp)
1  pthread_create(client) = process 2
2  start client
2  connect(127.0.0.1:7070/tcp)
2  connect(127.0.0.1:7070/tcp) opens = 1
2  connect(127.0.0.1:7070/tcp) opens = 2
2  connect(127.0.0.1:7070/tcp) arrives = 1
2  send(127.0.0.1:7070/tcp, 5) = 5
1  accept(127.0.0.1:7070/tcp) = 1
1  accept(127.0.0.1:7070/tcp<-40000) can receive
1  accept(127.0.0.1:7070/tcp<-40000) can send
1  recv(127.0.0.1:7070/tcp<-40000, 8) = 5
1  send(127.0.0.1:7070/tcp<-40000, 2) = 2
2  recv(127.0.0.1:7070/tcp, 8) = 2
2  shutdown(127.0.0.1:7070/tcp)
1  recv(127.0.0.1:7070/tcp<-40000, 8) = 0
1  port(127.0.0.1:40001/udp) = 3
1  port(127.0.0.1:40001/udp)
1  send(127.0.0.1:7070/udp)
1  bind(here)
1  listen(here) opens = 4
1  listen(here)
1  connect(here)
1  connect(here) opens = 5
1  connect(here) opens = 6
1  connect(here) arrives = 1
1  accept(here) = 1
1  accept(here) can receive
1  accept(here) can send
1  write(here, 3) = 3
1  read(here, 3) = 3
1  close(here)
1  close(here)
1  close(here)
1  close(here)
END
words error1.path > got
diff expected got || failed=1
grep -q 'open channel\|take channel\|channel [0-9]' error1.path said report.json && { echo "a channel is told:"; grep -n 'channel' error1.path said report.json; failed=1; }
grep -q 'waits in recv(127.0.0.1:7070/tcp, 8)' said || { cat said; failed=1; }
tr -s ' \n' ' ' < said | grep -q 'nothing has come, and it does not end, because its other end is still open in process 1' || { cat said; failed=1; }

# As it was written before.
{ sed '/^1/,$d' error1.path; cat <<'END'
1  start
1  bind(127.0.0.1:7070/tcp)
1  open channel = 0
1  listen(127.0.0.1:7070/tcp)
1  pthread_create(client) = process 2
2  start client
2  connect(127.0.0.1:7070/tcp)
2  open channel = 1
2  open channel = 2
2  connect(channel 0, 1) = 1
2  write(channel 1, 5) = 5
1  accept(channel 0, 1) = 1
1  take channel 1
1  take channel 2
1  read(channel 1, 8) = 5
1  write(channel 2, 2) = 2
2  read(channel 2, 8) = 2
2  shutdown(channel 1)
1  read(channel 1, 8) = 0
1  open channel = 3
1  port(127.0.0.1:40001/udp)
1  send(127.0.0.1:7070/udp)
1  bind(here)
1  open channel = 4
1  listen(here)
1  connect(here)
1  open channel = 5
1  open channel = 6
1  connect(channel 4, 1) = 1
1  accept(channel 4, 1) = 1
1  take channel 5
1  take channel 6
1  write(channel 6, 3) = 3
1  read(channel 6, 3) = 3
1  close(channel 5)
1  close(channel 6)
1  close(channel 6)
1  close(channel 5)
END
} > older.path
verisoft replay ./program older.path > said 2>&1
is "an older scenario" 1 $?
grep -q 'deadlock' said || { cat said; failed=1; }
sed 's/shutdown(channel 1)/shutdown(channel 2)/' older.path > wrong.path
verisoft replay ./program wrong.path > said 2>&1
is "an older scenario of another program" 2 $?
exit ${failed:-0}
