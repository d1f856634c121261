/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "looks.h"
#include "sys.h"
#include "thread.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#pragma GCC poison malloc calloc free printf

enum { MOST = 1 << 19, TABLE = 2 * MOST, FILTER = 1 << 16, MOST_ATOMICS = 1 << 16, ATOMICS = 2 * MOST_ATOMICS, WORD = 8, OFTEN = 64, ENDLESSLY = 1 << 18 };

/* An access of the step that is under way, and where in `table` it is. */
struct entry { struct wire_access access; uint32_t slot, times; };

/* `table` has numbers of entries, and is never cleared: what it says counts only if the entry says the same. */
struct gathered {
    struct wire_accesses *told;
    uint32_t      count, atomic_count;
    bool          full;
    uint64_t      digest[2];                             /* sums, so that the order does not matter */
    uint64_t      filter[FILTER / 64];                   /* words of memory in which a visible location may be, by their hash */
    struct { uint64_t word; uint8_t first[WORD]; } atomics[ATOMICS];     /* words of memory; of each byte 1 + who used it first, 0 nobody */
    uint32_t      table[TABLE];
    struct entry  entries[MOST];
};

#define GATHERED_AT (RT_CORE_AT + (UINT64_C(1) << 32))

static struct gathered *const g = (struct gathered *)GATHERED_AT;        /* is there when rt_core says so */
bool rt_watching, rt_instrumented RT_PRIVATE;
uint8_t rt_called RT_PRIVATE;
uint64_t rt_registers[6] RT_PRIVATE;

static uint64_t fold(uint64_t a, uint64_t b)             /* as in wyhash */
{
    unsigned __int128 product = (unsigned __int128)(a ^ 0xa0761d6478bd642f) * (b ^ 0xe7037ed1a0b428db);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* ---- visible locations ---- */

static uint64_t word_hash(uint64_t address) { return fold(address / WORD, 1) % FILTER; }

static uint64_t from_first(uint64_t address)             /* what was told of the first start, in this one */
{
    for (uint32_t i = 0; i < rt_core->part_count; i++) {
        const struct rt_part *p = &rt_core->parts[i];
        if (address - p->shift - p->lo < p->bytes)
            return address - p->shift;
    }
    return address;
}

static uint64_t in_part(uint64_t address)                /* what is named by its part, in the first start */
{
    if (!(address >> 63))
        return address;
    const struct wire_part *part = &g->told->parts[(address >> 48) % WIRE_PARTS];
    int64_t offset = (int64_t)(address << 16) >> 16;
    return part->base + (uint64_t)offset;
}

static int add_part(struct dl_phdr_info *info, size_t size, void *count)
{
    uint32_t *at = count;
    uint64_t end = 0;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz > end)
            end = info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (*at < WIRE_PARTS)
        g->told->parts[(*at)++] = (struct wire_part){rt_in_first(info->dlpi_addr), rt_in_first(info->dlpi_addr) + end};
    return 0;
}

static void list_parts(void)
{
    enum { STACK = 64 << 20, ABOVE = 1 << 20 };
    uint64_t stack = rt_in_first((uint64_t)__libc_stack_end);
    uint32_t count = WIRE_PROGRAM_PART;
    g->told->parts[WIRE_STACK_PART] = (struct wire_part){stack, stack + ABOVE};
    dl_iterate_phdr(add_part, &count);
}

static void add_visible(struct wire_visible *v)
{
    v->address = from_first(in_part(v->address));
    v->object = from_first(in_part(v->object));
    for (uint64_t at = v->address / WORD * WORD; at < v->address + v->size; at += WORD)
        g->filter[word_hash(at) / 64] |= UINT64_C(1) << word_hash(at) % 64;
}

static bool may_be_visible(uint64_t at, uint64_t bytes)
{
    for (uint64_t word = at / WORD * WORD; word < at + bytes; word += WORD)
        if (g->filter[word_hash(word) / 64] >> word_hash(word) % 64 & 1)
            return true;
    return false;
}

const struct wire_visible *rt_visible(const void *p, uint64_t bytes)
{
    uint64_t at = (uint64_t)p;
    if (!g->told->visible_count || !may_be_visible(at, bytes))
        return NULL;
    const struct wire_visible *v = g->told->visible, *first = NULL;
    for (uint32_t i = 0; i < g->told->visible_count && i < MAX_VISIBLE; i++)
        if (v[i].address < at + bytes && at < v[i].address + v[i].size && (!first || v[i].address < first->address))
            first = &v[i];
    return first;
}

/* Where a word's bytes are, ATOMICS where there is no room for it. */
static uint32_t atomics_of(uint64_t word)
{
    uint32_t at = (uint32_t)fold(word, 2) % ATOMICS;
    while (g->atomics[at].word && g->atomics[at].word != word)
        at = (at + 1) % ATOMICS;
    if (!g->atomics[at].word && g->atomic_count == MOST_ATOMICS)
        return ATOMICS;
    g->atomic_count += !g->atomics[at].word;
    g->atomics[at].word = word;
    return at;
}

/* Byte by byte, for one may be used as a part of several variables. Each UNIX process has a table of its own. A handler of a signal counts as another
 * than whom it interrupts. */
enum rt_sharing rt_atomic_sharing(const void *p, uint64_t bytes)
{
    enum { HANDLES = MAX_PROCESSES };
    _Static_assert(1 + MAX_PROCESSES + HANDLES <= UINT8_MAX, "a process and whether it handles are a byte");
    if (rt_is_shared(p))
        return RT_SHARED_BY_MANY;
    uint8_t self = (uint8_t)(rt_running->process + 1 + (rt_thread.handling ? HANDLES : 0));
    uint32_t at = ATOMICS;
    bool others = false;
    for (uint64_t i = 0, byte = (uint64_t)p; i < bytes; i++, byte++) {
        if (i == 0 || byte % WORD == 0)
            at = atomics_of(byte / WORD * WORD);
        if (at == ATOMICS)
            return RT_UNKNOWN_SHARING;
        uint8_t *first = &g->atomics[at].first[byte % WORD];
        *first = *first ? *first : self;
        others = others || *first != self;
    }
    return others ? RT_SHARED_BY_MANY : RT_OF_ONE;
}

/* ---- what a process is ---- */

static unsigned __int128 term(uint64_t which, uint32_t half) { return (unsigned __int128)(fold(which, 4) >> 3) * half; }

static uint64_t reduce(unsigned __int128 sum)            /* modulo RT_PRIME */
{
    uint64_t once = (uint64_t)(sum & RT_PRIME) + (uint64_t)(sum >> 61 & RT_PRIME), twice = (once & RT_PRIME) + (once >> 61);
    return twice < RT_PRIME ? twice : twice - RT_PRIME;
}

uint64_t rt_sum(const void *frame, bool registers)
{
    const uint32_t *at = (const uint32_t *)frame + 4, *end = (const uint32_t *)((uint64_t)rt_running->stack_end & ~(uint64_t)3);
    unsigned __int128 sum = (uint64_t)at;
    for (unsigned i = 0; registers && i < sizeof rt_registers / sizeof *rt_registers; i++)
        sum += term(2 * i, (uint32_t)rt_registers[i]) + term(2 * i + 1, (uint32_t)(rt_registers[i] >> 32));
    for (; at < end; at++)
        if (*at)
            sum += term((uint64_t)at, *at);
    return reduce(sum);
}

uint64_t rt_sum_of(uint64_t a, uint64_t b)
{
    enum { FIRST = 1 << 10 };                            /* of these: no register has such a number, and nothing lies at such an address */
    return reduce(term(FIRST, (uint32_t)a) + term(FIRST + 1, (uint32_t)(a >> 32)) + term(FIRST + 2, (uint32_t)b) + term(FIRST + 3, (uint32_t)(b >> 32)));
}

uint64_t rt_sum_at(uint64_t address, uint64_t value)
{
    return reduce(term(address, (uint32_t)value) + term(address + sizeof(uint32_t), (uint32_t)(value >> 32)));
}

/* ---- loops that count ---- */

uint32_t rt_rounds(void) { return g->told->rounds; }

bool rt_is_endless(uint64_t place)
{
    for (uint32_t i = 0; i < g->told->endless_count && i < MAX_LOOPS; i++)
        if (g->told->endless[i] == rt_in_first(place))
            return true;
    return false;
}

bool rt_endless_room(void) { return g->told->endless_count < MAX_LOOPS; }

/* ---- gathering ---- */

void rt_accesses_begin(void)
{
    if (!(rt->wire->group & GROUP_WATCH) || !rt_instrumented || rt_core->gathers)
        return;
    rt_map(GATHERED_AT, sizeof *g, MAP_PRIVATE);
    rt_core->gathers = true;
    g->told = wire_accesses(rt->wire);
    if (!g->told->set_count)
        g->told->set_count = 1;
    list_parts();
    for (uint32_t i = 0; i < g->told->visible_count && i < MAX_VISIBLE; i++)
        add_visible(&g->told->visible[i]);
    for (uint32_t i = 0; i < g->told->endless_count && i < MAX_LOOPS; i++)
        g->told->endless[i] = in_part(g->told->endless[i]);
}

void rt_accesses_watch(void) { rt_watching = rt_core->gathers; }

void rt_accesses_wipe(const struct rt_context *c)
{
    enum { BELOW = 4096 };
    uint64_t top = c->stack_pointer, low = (uint64_t)c->stack;
    if (!rt_core->gathers || !g->told->visible_count || rt_kernel_threads || c->kept_stack || c->state != RT_LIVE || top <= low || top > (uint64_t)c->stack_end)
        return;
    low = top - low > BELOW ? top - BELOW : low;
    memset((void *)low, 0, top - low);
}

void rt_accesses_step(uint32_t at)
{
    if (!rt_core->gathers)
        return;
    g->count = 0;
    g->full = false;
    g->digest[0] = g->digest[1] = 0;
    g->told->seen[at] = 0;
}

static bool same(const struct wire_access *a, const struct wire_access *b)
{
    return a->address == b->address && a->place == b->place && a->size == b->size && a->kind == b->kind
        && a->reserved == b->reserved;
}

bool rt_accesses_wrote(const void *p, uint64_t bytes)
{
    for (uint32_t i = 0; i < g->count; i++) {
        const struct wire_access *a = &g->entries[i].access;
        if (a->kind & ACCESS_IS_WRITE && a->address < (uint64_t)p + bytes && (uint64_t)p < a->address + a->size)
            return true;
    }
    return false;
}

static enum rt_often add(const struct wire_access *a)     /* how often it was there */
{
    uint64_t what = (uint64_t)a->size << 32 | (uint64_t)a->kind << 16 | a->reserved;
    uint64_t hash = fold(fold(a->address, a->place), what);
    uint32_t slot = (uint32_t)hash % TABLE;
    for (;; slot = (slot + 1) % TABLE) {
        uint32_t i = g->table[slot];
        if (i >= g->count || g->entries[i].slot != slot)
            break;
        if (same(&g->entries[i].access, a))
            return ++g->entries[i].times % OFTEN ? RT_SELDOM : g->entries[i].times < ENDLESSLY ? RT_OFTEN : RT_ENDLESSLY;
    }
    if (g->count == MOST) {
        g->full = true;
        return RT_SELDOM;
    }
    g->table[slot] = g->count;
    g->entries[g->count++] = (struct entry){.access = *a, .slot = slot};
    g->digest[0] += hash;
    g->digest[1] += fold(hash, what);
    return RT_SELDOM;
}

enum rt_often rt_accesses_note(const void *p, uint64_t bytes, uint32_t kind, uint64_t place)
{
    enum { LARGEST = 1 << 30 };
    enum rt_often often = RT_SELDOM, so;
    bool own = (uint64_t)p - (uint64_t)rt_running->stack < (uint64_t)(rt_running->stack_end - rt_running->stack);
    if (kind & ACCESS_IS_WRITE && !own)
        rt_looks_wrote(p, bytes, kind & ACCESS_IS_ATOMIC);
    if (rt_thread.handling && !own)
        kind |= ACCESS_IS_HANDLED;
    uint16_t host = rt_is_shared(p) ? 0 : (uint16_t)(rt_host() + 1);
    for (uint64_t at = (uint64_t)p, left = bytes, part; left; at += part, left -= part) {
        part = left < LARGEST ? left : LARGEST;
        so = add(&(struct wire_access){at, place, (uint32_t)part, (uint16_t)kind, host});
        often = so > often ? so : often;
    }
    return often;
}

bool rt_of_program(uint64_t place)
{
    const struct wire_part *program = &g->told->parts[WIRE_PROGRAM_PART];
    return rt_in_first(place) - program->base < program->end - program->base;
}

void rt_accesses_touch(const void *p, int64_t bytes, bool writes, uint64_t place)
{
    if (bytes <= 0 || !rt_of_program(place))
        return;
    if (rt_visible(p, (uint64_t)bytes))
        rt_accesses_whole(place);
    rt_accesses_note(p, (uint64_t)bytes, writes ? ACCESS_IS_WRITE : 0, place);
}

void rt_accesses_use(const void *object, uint64_t place)
{
    if (rt_of_program(place))
        rt_accesses_note(object, sizeof(uint32_t), ACCESS_IS_ATOMIC | ACCESS_IS_USE, place);
}

/* ---- the set ---- */

static int compare(const struct wire_access *a, const struct wire_access *b)
{
    uint64_t kind_a = (uint64_t)a->reserved << 16 | a->kind, kind_b = (uint64_t)b->reserved << 16 | b->kind;
    if (kind_a != kind_b)
        return kind_a < kind_b ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void sink(struct wire_access *all, uint32_t at, uint32_t count)
{
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && compare(&all[child], &all[child + 1]) < 0)
            child++;
        if (compare(&all[at], &all[child]) >= 0)
            return;
        struct wire_access other = all[at];
        all[at] = all[child];
        all[child] = other;
    }
}

static void sort(struct wire_access *all, uint32_t count)        /* a heap */
{
    for (uint32_t i = count / 2; i-- > 0;)
        sink(all, i, count);
    for (uint32_t i = count; i-- > 1;) {
        struct wire_access largest = all[0];
        all[0] = all[i];
        all[i] = largest;
        sink(all, 0, i);
    }
}

/* What one place did with neighbouring bytes is one access. Gives how many there are. */
static uint32_t merge(struct wire_access *all, uint32_t count)
{
    uint32_t last = 0;
    sort(all, count);
    for (uint32_t i = 1; i < count; i++) {
        bool next = all[i].kind == all[last].kind && all[i].reserved == all[last].reserved && all[i].place == all[last].place
                 && all[i].address == all[last].address + all[last].size && all[last].size < UINT32_MAX - all[i].size;
        if (next)
            all[last].size += all[i].size;
        else
            all[++last] = all[i];
    }
    return last + 1;
}

static uint32_t new_set(uint32_t slot)
{
    struct wire_accesses *told = g->told;
    if (g->full || told->set_count >= MAX_SETS || told->access_count > MAX_ACCESSES || g->count > MAX_ACCESSES - told->access_count)
        return NO_SET;
    struct wire_access *all = told->accesses + told->access_count;
    for (uint32_t i = 0; i < g->count; i++) {
        all[i] = g->entries[i].access;
        all[i].address = rt_in_first(all[i].address);
        all[i].place = rt_in_first(all[i].place);
    }
    uint32_t count = merge(all, g->count), set = told->set_count;
    told->sets[set] = (struct wire_set){{g->digest[0], g->digest[1]}, told->access_count, count};
    told->access_count += count;
    told->slots[slot] = set;
    told->set_count++;
    return set;
}

static uint32_t number_of_set(void)
{
    const struct wire_accesses *told = g->told;
    if (!g->count)
        return 0;
    uint32_t slot = (uint32_t)g->digest[0] % SET_SLOTS;
    for (;; slot = (slot + 1) % SET_SLOTS) {
        uint32_t set = told->slots[slot];
        if (!set || set >= MAX_SETS)
            return new_set(slot);
        if (told->sets[set].digest[0] == g->digest[0] && told->sets[set].digest[1] == g->digest[1])
            return set;
    }
}

void rt_accesses_done(uint32_t at)
{
    if (rt_core->gathers)
        g->told->seen[at] = number_of_set();
}
