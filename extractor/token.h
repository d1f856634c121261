/* C taken apart as far as its marks and blocks need: words, numbers, strings, punctuation, one character each. Comments, white
 * space and preprocessor lines lie between tokens.
 * SPDX-License-Identifier: MIT */
#ifndef TOKEN_H
#define TOKEN_H

#include <stdbool.h>

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_LITERAL, TOKEN_MARK, TOKEN_OTHER };

struct token {
    enum token_kind kind;            /* TOKEN_MARK: an @ */
    const char     *at;              /* into the text */
    int             length, line;
};

struct tokens { struct token *items; int count, room; };         /* the last one is TOKEN_END */

void tokens_read(struct tokens *, const char *text);             /* borrows the text; return it with tokens_fini */
void tokens_fini(struct tokens *);
bool token_is(const struct token *, const char *text);

#endif
