/* expect: complete.  none: 10 transitions, 1 executions.  native: 10.
 *
 * Messages are copied by content and may be any string, up to 4095 bytes; the last one received is valid until the next.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <verisoft.h>

static void expect(int queue, const char *text)
{
    if (strcmp(rcv_from_queue(queue, 5), text))
        abort();
}

int main(void)
{
    int queue = get_bounded_queue(5);
    static char longest[4096];
    char changing[] = "before";
    memset(longest, 'x', sizeof longest - 1);
    send_to_queue(queue, 5, "");
    send_to_queue(queue, 5, "\"quoted\\\n\t\001\377 # = )");
    send_to_queue(queue, 5, longest);
    send_to_queue(queue, 5, changing);
    strcpy(changing, "after!");
    send_to_queue(queue, 5, changing);
    expect(queue, "");
    expect(queue, "\"quoted\\\n\t\001\377 # = )");
    expect(queue, longest);
    expect(queue, "before");
    expect(queue, "after!");
    return 0;
}
