/* The shortest program that plays: the first legal move, without a JSON library. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "arena ", 6) == 0) {
            puts("agent {\"name\":\"echo\",\"version\":\"1.0.0\"}");
        } else if (strncmp(line, "new ", 4) == 0) {
            puts("ready");
        } else if (strncmp(line, "turn ", 5) == 0) {
            const char *legal = strstr(line, "\"legal\":[\"");
            if (legal == NULL) {
                return 1;
            }
            legal += strlen("\"legal\":[\"");
            printf("move %.*s\n", (int)strcspn(legal, "\""), legal);
        } else {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
