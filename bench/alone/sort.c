/* An ordinary program by itself: quicksort of a million numbers, six times. SPDX-License-Identifier: MIT */
#include <stdio.h>

enum { COUNT = 1 << 20 };
static int numbers[COUNT];

static void sort(int *v, int left, int right)
{
    while (left < right) {
        int i = left, j = right, pivot = v[left + (right - left) / 2];
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j) {
                int kept = v[i];
                v[i++] = v[j];
                v[j--] = kept;
            }
        }
        sort(v, left, j);
        left = i;
    }
}

int main(void)
{
    unsigned seed = 1;
    long sum = 0;
    for (int turn = 0; turn < 6; turn++) {
        for (int i = 0; i < COUNT; i++)
            numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 8);
        sort(numbers, 0, COUNT - 1);
        sum += numbers[turn * 1000];
    }
    printf("%ld\n", sum);
    return 0;
}
