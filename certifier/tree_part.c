/* SPDX-License-Identifier: MIT */
#include "certifier/tree_part.h"

#include "base/file.h"
#include "base/memory.h"
#include "certifier/partition.h"
#include "system/dependence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- cutting ---- */

/* A state on the path of the execution that is read, and what was told of it. */
struct stop { uint64_t entered; struct tree_step *told; uint32_t count, room; };

struct cutter {
    struct tree_file   *tree;
    const char         *folder;
    struct stop       *path;        /* one more than the execution has steps */
    uint32_t            depth, room;
    uint64_t            execution, transitions;  /* that were read */
    uint32_t            parts, part; /* how many there are to be; the one that is written */
    struct tree_writer *writer;      /* NULL: none is */
    struct tree_start   start;       /* of it */
    struct tree_step   *steps;       /* of an execution */
    uint32_t            step_room;
};

static void fini(struct cutter *c)
{
    for (uint32_t i = 0; i < c->room; i++)
        free(c->path[i].told);
    free(c->path);
    free(c->steps);
    tree_start_fini(&c->start);
    tree_writer_free(c->writer);
    tree_close(c->tree);
}

static void enter(struct cutter *c, uint64_t entered)
{
    uint32_t old = c->room;
    ARRAY_GROW(c->path, c->depth, c->room);
    if (c->room > old)
        memset(c->path + old, 0, (c->room - old) * sizeof *c->path);
    c->path[c->depth].entered = entered;
    c->path[c->depth++].count = 0;
}

static void tell(struct stop *p, struct tree_step step)
{
    ARRAY_GROW(p->told, p->count, p->room);
    p->told[p->count++] = step;
}

/* A part begins where the path is now. */
static int begin_part(struct cutter *c, struct err *err)
{
    struct tree_start *s = &c->start;
    char *file = partition_file(c->folder, c->part, "part");
    c->writer = tree_writer_new(file, err);
    free(file);
    s->first = c->execution;
    s->depth = s->told_count = 0;
    for (uint32_t i = 0; i < c->depth; i++) {
        const struct stop *p = &c->path[i];
        ARRAY_GROW(s->path, s->depth, s->path_room);
        s->path[s->depth++] = (struct tree_place){ p->entered, s->told_count, p->count };
        for (uint32_t k = 0; k < p->count; k++) {
            ARRAY_GROW(s->told, s->told_count, s->told_room);
            s->told[s->told_count++] = p->told[k];
        }
    }
    return c->writer ? 0 : -EIO;
}

static int end_part(struct cutter *c, uint32_t leave, struct err *err)
{
    uint64_t bytes;
    char *file = partition_file(c->folder, c->part++, "part");
    struct fields fields = { 0 };
    c->start.leave = leave;
    const char *memory = tree_shares(c->tree) ? "shared" : "own", *birth;
    fields_add(&fields, "memory", "%s", memory);
    if (fields_get(tree_fields(c->tree), "shared", 0))
        fields_add(&fields, "shared", "%s", fields_get(tree_fields(c->tree), "shared", 0));
    for (uint32_t i = 0; (birth = fields_get(tree_fields(c->tree), "birth", i)); i++)
        fields_add(&fields, "birth", "%s", birth);
    tree_write_start(c->writer, &c->start);
    int rc = tree_writer_finish(c->writer, &fields, file, &bytes, err);
    tree_writer_free(c->writer);
    c->writer = NULL;
    fields_fini(&fields);
    free(file);
    return rc;
}

/* Has the part as many transitions as it should? */
static bool is_full(const struct cutter *c)
{
    double all = (double)tree_transitions(c->tree);
    return c->writer && c->part + 1 < c->parts && (double)c->transitions >= all * (c->part + 1) / c->parts;
}

static int read_execution(struct cutter *c, uint32_t back, uint32_t count, struct err *err)
{
    int rc = is_full(c) ? end_part(c, back, err) : 0;
    bool begins = !c->writer;
    uint32_t taken = 0;
    c->depth -= back;
    if (rc >= 0 && begins)
        rc = begin_part(c, err);
    c->execution++;
    for (; taken < count && rc >= 0; taken++) {
        ARRAY_GROW(c->steps, taken, c->step_room);
        if ((rc = tree_next_step(c->tree, &c->steps[taken], err)) < 0)
            return rc;
        tell(&c->path[c->depth - 1], c->steps[taken]);
        enter(c, c->execution);
    }
    c->transitions += count;
    if (rc >= 0)
        tree_write(c->writer, begins ? 0 : back, c->steps, count);
    return rc;
}

int tree_partition(const char *file, const char *folder, uint32_t *count, struct err *err)
{
    struct cutter c = { .folder = folder, .parts = *count };
    uint32_t back, steps;
    int more = 0, rc = (c.tree = tree_open(file, err)) ? 0 : err_code(err);
    enter(&c, 0);
    while (rc >= 0 && (more = tree_next(c.tree, &back, &steps, err)) > 0)
        rc = read_execution(&c, back, steps, err);
    rc = rc < 0 ? rc : more;
    if (rc >= 0 && !c.writer) {
        fail(err, "it has no execution");
        rc = err->code = -EBADMSG;
    }
    if (rc >= 0 && c.writer)
        rc = end_part(&c, c.depth, err);
    *count = c.part;
    fini(&c);
    return rc;
}

/* ---- comparing ---- */

/* Of the steps that lead to such a node with one result, maybe not with another: who saw only one of them thinks otherwise. */
static bool is_mixed(const struct system *s, uint32_t leads)
{
    for (int p = 0; p < s->processes; p++)
        for (uint32_t i = 0; i < s->graphs[p].count; i++) {
            const struct node *n = &s->graphs[p].nodes[i];
            if (n->flags & leads && (n->choices != 1 || n->more_count || n->flags & NODE_VARIES))
                return true;
        }
    return false;
}

void tree_part_learned(FILE *map, const struct system *s)
{
    fprintf(map, "learned %llu %d %d %d\n", (unsigned long long)dependence_premises(s), is_mixed(s, LEADS_TO_ABORT), is_mixed(s, LEADS_TO_END),
            s->users[s->table] != 0);        /* only to who waits for another does it matter where that one ends (dependence.c) */
}

void tree_merge_fini(struct tree_merge *m)
{
    free(m->owed);
    free(m->left);
}

static bool read_line(struct tree_merge *m, const char *line)
{
    unsigned long long entered, processes, execution, premises;
    unsigned depth;
    int aborts, ends, waits;
    if (sscanf(line, "owes %llu %u %llx %llu", &entered, &depth, &processes, &execution) == 4) {
        ARRAY_GROW(m->owed, m->owed_count, m->owed_room);
        m->owed[m->owed_count++] = (struct tree_owed){ entered, processes, execution, depth };
        return true;
    }
    if (sscanf(line, "left %llu %u %llx", &entered, &depth, &processes) == 3) {
        ARRAY_GROW(m->left, m->left_count, m->left_room);
        m->left[m->left_count++] = (struct tree_left){ entered, processes, depth };
        return true;
    }
    if (sscanf(line, "learned %llu %d %d %d", &premises, &aborts, &ends, &waits) != 4)
        return false;
    m->ends |= ends;
    m->waits |= waits;
    m->differs |= aborts || (m->ends && m->waits) || (m->begun && premises != m->premises);
    m->premises = premises;
    m->begun = true;
    return true;
}

int tree_merge_add(struct tree_merge *m, const char *map, struct err *err)
{
    char line[128];
    FILE *in = file_open(map, "the map of a part", err);
    if (!in)
        return err_code(err);
    bool well = true;
    while (well && fgets(line, sizeof line, in))
        well = read_line(m, line);
    well &= !ferror(in);
    fclose(in);
    return well ? 0 : fail(err, "%s: cannot be read as a map", map);
}

static int by_state(const void *a, const void *b)
{
    const struct tree_left *x = a, *y = b;
    return x->entered != y->entered ? (x->entered > y->entered) - (x->entered < y->entered) : (x->depth > y->depth) - (x->depth < y->depth);
}

bool tree_merge_agrees(struct tree_merge *m)
{
    if (m->left_count)
        qsort(m->left, m->left_count, sizeof *m->left, by_state);
    for (uint32_t i = 0; i < m->owed_count; i++) {
        struct tree_left state = { .entered = m->owed[i].entered, .depth = m->owed[i].depth };
        const struct tree_left *left = m->left_count ? bsearch(&state, m->left, m->left_count, sizeof *m->left, by_state) : NULL;
        if (!left || !(left->children & m->owed[i].processes))
            return false;
    }
    return true;
}
