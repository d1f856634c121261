/* expect: assertion */
#include <string.h>
#include <stdio.h>
#include <verisoft.h>
int main(void)
{
    char text[] = "a;}\"", buffer[16];
    const char *other = VS_toss(1) ? "x;\\}" : "/* no */ // no";
    VS_assert(strlen(text) == 4 && text[2] == '}' && text[3] == '"' && sizeof text == 5);
    snprintf(buffer, sizeof buffer, "%s%c", other, ';');
    VS_assert(strcmp(buffer, "x;\\};") == 0);
    return 0;
}
