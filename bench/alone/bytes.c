/* An ordinary program by itself: text is compressed byte by byte, by what was there before. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 21, HEADS = 1 << 15, LONGEST = 255, FAR = 65535 };
static unsigned char in[SIZE + LONGEST], out[2 * SIZE];
static int head[HEADS];

static int match(int at, int before)
{
    int length = 0;
    while (length < LONGEST && at + length < SIZE && in[before + length] == in[at + length])
        length++;
    return length;
}

static int compress(void)
{
    int size = 0;
    memset(head, -1, sizeof head);
    for (int at = 0, length; at < SIZE; at += length) {
        unsigned hash = ((unsigned)in[at] << 16 | (unsigned)in[at + 1] << 8 | in[at + 2]) * 2654435761u >> 17;
        int before = head[hash];
        head[hash] = at;
        length = before >= 0 && at - before < FAR ? match(at, before) : 0;
        if (length >= 4) {
            out[size++] = (unsigned char)length;
            out[size++] = (unsigned char)((at - before) >> 8);
            out[size++] = (unsigned char)(at - before);
        } else {
            length = 1;
            out[size++] = in[at];
        }
    }
    return size;
}

int main(void)
{
    static const char text[] = "abcabdabeabf the quick";
    unsigned seed = 1;
    long sum = 0;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1103515245 + 12345;
        in[i] = (unsigned char)text[(seed >> 16) % (1 + ((unsigned)i >> 17)) % (sizeof text - 1)];
    }
    for (int turn = 0; turn < 8; turn++)
        sum += compress();
    printf("%ld %u\n", sum, out[1000]);
    return 0;
}
