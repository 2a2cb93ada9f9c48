/*
 * The peer: the workloads' structures as a careful user of libpmemobj writes them.
 *
 * Each operation exists in up to two ways. TX is a transaction, which is what the paper compares with: it snapshots the words that
 * change and nothing else, and allocates within the transaction. HAND is what an expert writes when one operation is one section:
 * reserve and publish, or stores and persists in an order that any crash tolerates.
 *
 * Links are offsets of eight bytes, half of a PMEMoid, so that a snapshot of a link is one word. All structures hang off one root
 * object, each in lines of its own. Hash tables have as many buckets as they will have elements, and never rehash.
 */
#ifndef PEER_H
#define PEER_H

#include <libpmemobj.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_BYTES 64
#define TABLES 16

enum structure { MAP, SET, STACK, QUEUE, VECTOR, GRAPH, VACATION, KV, UNRELATED };
enum action { INSERT, UPDATE, LOOKUP, REMOVE, PUSH, POP, WRITE, APPEND, SWAP, STEP, TASK };
enum way { TX, HAND };

struct op {
    uint64_t key, word;
};

/* Who points where: the neighbours of v are next[first[v]] to next[first[v + 1]]. */
struct graph {
    uint32_t vertices;
    const uint32_t *first, *next;
};

struct node {
    uint64_t link;
    uint64_t words[]; /* the key, then the value */
};

struct table {
    _Alignas(LINE_BYTES) uint64_t buckets; /* offset of an array of links */
    uint64_t mask, key_words, value_words;
    _Alignas(LINE_BYTES) uint64_t count;
};

struct list {
    _Alignas(LINE_BYTES) uint64_t head, tail;
};

struct array {
    _Alignas(LINE_BYTES) uint64_t items; /* offset */
    uint64_t room, length;
};

struct cursor {
    _Alignas(LINE_BYTES) uint64_t sweep, source;
};

struct root {
    struct table tables[TABLES];
    struct list list;
    struct array array;
    struct cursor cursor;
};

struct peer {
    PMEMobjpool *pool;
    struct root *root;
    uint64_t uuid;
    struct graph graph;
    uint64_t records; /* rows of each of vacation's tables */
    uint64_t allocated_bytes;
    int counts;
};

/* pool.c */
_Noreturn void peer_die(const char *what);

static inline void *at(const struct peer *p, uint64_t offset) {
    return (char *)p->pool + offset;
}

static inline uint64_t offset_of(const struct peer *p, const void *address) {
    return (uint64_t)((const char *)address - (const char *)p->pool);
}

static inline PMEMoid oid_of(const struct peer *p, uint64_t offset) {
    return (PMEMoid){p->uuid, offset};
}

/* Allocates within the running transaction. */
uint64_t peer_alloc(struct peer *p, size_t size);
/* Reserves an object: it is allocated when the action is published. */
uint64_t peer_reserve(struct peer *p, struct pobj_action *action, size_t size);
/* Snapshots one word within the running transaction, and sets it. */
void peer_set(uint64_t *word, uint64_t value);

/* The value that belongs to a word: the same in every contestant. */
static inline void fill(uint64_t *value, uint64_t count, uint64_t word) {
    for (uint64_t i = 0; i < count; i++)
        value[i] = word ^ (i * UINT64_C(0x9e3779b97f4a7c15));
}

/* What reading a value contributes to the sum by which contestants are compared. */
static inline uint64_t seen(const uint64_t *value, uint64_t count) {
    return count == 0 ? 1 : value[0] + value[count - 1];
}

/* The next number of a sequence (splitmix64): the same in every contestant. */
static inline uint64_t draw(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* table.c */
void table_make(struct peer *p, struct table *t, uint64_t buckets, uint64_t key_words, uint64_t value_words);
struct node *table_find(const struct peer *p, const struct table *t, uint64_t key, uint64_t **link);
/* A new node in the running transaction, its value not yet filled; the key is not there yet. */
struct node *table_add(struct peer *p, struct table *t, uint64_t key);
/* Takes the node that hangs on the link out and frees it, in the running transaction. */
void table_drop(struct peer *p, struct table *t, uint64_t *link);
uint64_t table_run(struct peer *p, struct table *t, enum action a, enum way w, const struct op *ops, size_t n, size_t batch);
uint64_t unrelated_run(struct peer *p, enum action a, uint64_t roots, const struct op *ops, size_t n, size_t batch);
size_t table_content(const struct peer *p, const struct table *t, uint64_t *out, size_t room);

/* list.c */
void list_push_back(struct peer *p, struct list *l, uint64_t value);
uint64_t list_pop(struct peer *p, struct list *l);
uint64_t list_run(struct peer *p, struct list *l, int is_queue, enum action a, enum way w, const struct op *ops, size_t n, size_t batch);
size_t list_content(const struct peer *p, const struct list *l, uint64_t *out, size_t room);

/* array.c */
void array_make(struct peer *p, struct array *a, uint64_t room);
uint64_t array_run(struct peer *p, struct array *v, enum action a, enum way w, const struct op *ops, size_t n, size_t batch);
size_t array_content(const struct peer *p, const struct array *v, uint64_t *out, size_t room);

/* graph.c, vacation.c */
uint64_t graph_run(struct peer *p, const struct op *ops, size_t n, size_t batch);
void vacation_make(struct peer *p);
uint64_t vacation_run(struct peer *p, const struct op *ops, size_t n, size_t batch);
size_t vacation_content(const struct peer *p, uint64_t *out, size_t room);

/* Runs `body` for each slice [from, to) of `batch` operations, in a transaction. */
#define EACH_TX(p, n, batch, from, to, body)                                                                   \
    for (size_t from = 0, to; from < (n); from = to) {                                                         \
        to = (n) - from < (batch) ? (n) : from + (batch);                                                      \
        TX_BEGIN((p)->pool) {                                                                                  \
            body;                                                                                              \
        }                                                                                                      \
        TX_ONABORT {                                                                                           \
            peer_die("transaction");                                                                           \
        }                                                                                                      \
        TX_END                                                                                                 \
    }

#endif
