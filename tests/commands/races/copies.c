/* Two threads do the same to memory that they share, in each way in which C copies and fills: copies WHICH. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct pair { long a, b; } to, from;                    /* not static: a compiler would see that nobody reads them */
char text[16];
static int which;

static void *work(void *unused)
{
    switch (which) {
    case 0:  to = from; break;
    case 1:  to = (struct pair){ 0, 0 }; break;
    case 2:  memcpy(&to, &from, sizeof to); break;
    case 3:  __builtin_memcpy(&to, &from, sizeof to); break;
    case 4:  memmove(&to, &from, sizeof to); break;
    case 5:  __builtin_memmove(&to, &from, sizeof to); break;
    case 6:  memset(&to, 0, sizeof to); break;
    case 7:  __builtin_memset(&to, 0, sizeof to); break;
    case 8:  bzero(&to, sizeof to); break;
    case 9:  bcopy(&from, &to, sizeof to); break;
    case 10: mempcpy(&to, &from, sizeof to); break;
    case 11: strcpy(text, "hello"); break;
    case 12: __builtin_strcpy(text, "hello"); break;
    case 13: stpcpy(text, "hello"); break;
    case 14: strncpy(text, "hello", 8); break;
    case 15: strcat(text, "he"); break;
    case 16: sprintf(text, "%s", "hello"); break;
    case 17: snprintf(text, 8, "%d", which); break;
    case 18: __builtin_memcpy(text, "hell", 4); break;
    default: exit(2);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t other;
    which = argc > 1 ? atoi(argv[1]) : -1;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    return 0;
}
