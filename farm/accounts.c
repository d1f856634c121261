/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "farm/accounts.h"

#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char scrypt[] = "$7$";

static enum rights role_of(const char *name)
{
    return !name ? RIGHTS_NONE : !strcmp(name, "editor") ? RIGHTS_EDITOR : !strcmp(name, "reader") ? RIGHTS_READER : RIGHTS_NONE;
}

/* What becomes of the password with this setting, which a hash has at its beginning; NULL: it cannot be. */
static char *hash(const char *password, const char *setting)
{
    struct crypt_data *data = calloc(1, sizeof *data);
    char *made = data ? crypt_r(password, setting, data) : NULL, *copy = made && *made != '*' ? strdup(made) : NULL;
    if (data)
        explicit_bzero(data, sizeof *data);
    free(data);
    return copy;
}

int accounts_add(struct store *s, const char *name, enum rights role, const char *password, struct err *err)
{
    char setting[CRYPT_GENSALT_OUTPUT_SIZE];
    if (!gate_name_is_fine(name))
        return fail(err, "user add %.40s: a name has letters, digits, . _ -, and at most %d of them", name, GATE_NAME);
    if (strlen(password) < LEAST_PASSWORD)
        return fail(err, "user add %s: a password has at least %d characters", name, LEAST_PASSWORD);
    char *made = crypt_gensalt_rn(scrypt, 0, NULL, 0, setting, sizeof setting) ? hash(password, setting) : NULL;
    if (!made)
        return fail(err, "this system's libcrypt has no scrypt");
    int bad = store_run(s, err, "INSERT INTO account (name, role, hash, made) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) DO UPDATE SET role = ?2, hash = ?3", "tttr",
                        name, gate_roles[role], made, (double)time(NULL));
    free(made);
    return bad;
}

int accounts_remove(struct store *s, const char *name, struct err *err)
{
    int bad = store_run(s, err, "DELETE FROM account WHERE name = ?1", "t", name);
    return bad || store_changes(s) ? bad : fail(err, "user remove %.40s: there is no such account", name);
}

json_t *accounts_list(struct store *s, struct err *err) { return store_rows(s, err, "SELECT name, role, made FROM account ORDER BY name", ""); }
int64_t accounts_count(struct store *s) { return store_number(s, "SELECT count(*) FROM account", ""); }

/* ---- the keeper ---- */

static json_t *account(struct store *s, const char *name)
{
    struct err err;
    json_t *row = store_row(s, &err, "SELECT role, hash FROM account WHERE name = ?1", "t", name);
    if (json_is_object(row))
        return row;
    json_decref(row);
    return NULL;
}

static enum rights role(void *self, const char *name)
{
    json_t *row = account(self, name);
    enum rights r = role_of(json_string_value(json_object_get(row, "role")));
    json_decref(row);
    return r;
}

/* A name that nobody has takes as long as one that somebody has. */
static enum rights check(void *self, const char *name, const char *password)
{
    static char nobody[CRYPT_GENSALT_OUTPUT_SIZE];
    json_t *row = account(self, name);
    const char *kept = json_string_value(json_object_get(row, "hash"));
    if (!kept && !*nobody)
        crypt_gensalt_rn(scrypt, 0, NULL, 0, nobody, sizeof nobody);
    char *made = hash(password, kept ? kept : nobody);
    unsigned char difference = !made || !kept || strlen(made) != strlen(kept);
    for (size_t i = 0; !difference && made[i]; i++)
        difference |= (unsigned char)(made[i] ^ kept[i]);
    enum rights r = difference ? RIGHTS_NONE : role_of(json_string_value(json_object_get(row, "role")));
    free(made);
    json_decref(row);
    return r;
}

struct gate_keeper accounts_keeper(struct store *s) { return (struct gate_keeper){ .self = s, .check = check, .role = role }; }
