/* Opening, closing, allocating, and the way from a workload to its structure. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

/* Exported by the preloaded counter, and by nobody else. */
extern void peer_counted(uint64_t out[3]) __attribute__((weak));

_Noreturn void peer_die(const char *what) {
    fprintf(stderr, "pmem-bench: libpmemobj: %s: %s\n", what, pmemobj_errormsg());
    abort();
}

static void note_allocation(struct peer *p, PMEMoid oid) {
    if (p->counts)
        p->allocated_bytes += pmemobj_alloc_usable_size(oid);
}

uint64_t peer_alloc(struct peer *p, size_t size) {
    PMEMoid oid = pmemobj_tx_alloc(size, 1);
    note_allocation(p, oid);
    return oid.off;
}

uint64_t peer_reserve(struct peer *p, struct pobj_action *action, size_t size) {
    PMEMoid oid = pmemobj_reserve(p->pool, action, size, 1);
    if (OID_IS_NULL(oid))
        peer_die("reserve");
    note_allocation(p, oid);
    return oid.off;
}

void peer_set(uint64_t *word, uint64_t value) {
    pmemobj_tx_add_range_direct(word, sizeof *word);
    *word = value;
}

static void make(struct peer *p, enum structure s, uint64_t elements) {
    struct root *r = p->root;
    switch (s) {
    case MAP:
        table_make(p, &r->tables[0], elements, 1, 4);
        break;
    case SET:
    case GRAPH:
        table_make(p, &r->tables[0], elements, 1, 0);
        break;
    case KV:
        table_make(p, &r->tables[0], elements, 2, 64);
        break;
    case UNRELATED:
        for (int i = 0; i < TABLES; i++)
            table_make(p, &r->tables[i], elements, 1, 4);
        break;
    case VACATION:
        vacation_make(p);
        break;
    case VECTOR:
        array_make(p, &r->array, elements);
        break;
    case STACK:
    case QUEUE:
        break;
    }
}

struct peer *peer_open(const char *path, size_t bytes, enum structure s, uint64_t elements, const struct graph *graph) {
    int prefault = 1; /* no page fault is on its account */
    pmemobj_ctl_set(NULL, "prefault.at_create", &prefault);
    struct peer *p = calloc(1, sizeof *p);
    if (p == NULL || (p->pool = pmemobj_create(path, "pmem-bench", bytes, 0600)) == NULL)
        peer_die(path);
    PMEMoid root = pmemobj_root(p->pool, sizeof(struct root) + LINE_BYTES);
    if (OID_IS_NULL(root))
        peer_die("root");
    /* Objects are aligned to sixteen bytes only. */
    uintptr_t address = (uintptr_t)pmemobj_direct(root);
    p->root = (struct root *)((address + LINE_BYTES - 1) & ~(uintptr_t)(LINE_BYTES - 1));
    p->uuid = root.pool_uuid_lo;
    p->graph = *graph;
    p->records = elements;
    p->counts = peer_counted != NULL;
    make(p, s, elements);
    return p;
}

void peer_close(struct peer *p) {
    pmemobj_close(p->pool);
    free(p);
}

/* Lines written back, fences, bytes written, bytes allocated. False if nobody counts. */
int peer_cost(const struct peer *p, uint64_t out[4]) {
    if (!p->counts)
        return 0;
    peer_counted(out);
    out[3] = p->allocated_bytes;
    return 1;
}

uint64_t peer_run(struct peer *p, enum structure s, enum action a, uint64_t roots, enum way w, const struct op *ops, size_t n,
                  size_t batch) {
    struct root *r = p->root;
    switch (s) {
    case MAP:
    case SET:
    case KV:
        return table_run(p, &r->tables[0], a, w, ops, n, batch);
    case STACK:
    case QUEUE:
        return list_run(p, &r->list, s == QUEUE, a, w, ops, n, batch);
    case VECTOR:
        return array_run(p, &r->array, a, w, ops, n, batch);
    case GRAPH:
        return graph_run(p, ops, n, batch);
    case VACATION:
        return vacation_run(p, ops, n, batch);
    case UNRELATED:
        return unrelated_run(p, a, roots, ops, n, batch);
    }
    abort();
}

/* Writes up to `room` words and returns how many there are. */
size_t peer_content(const struct peer *p, enum structure s, uint64_t *out, size_t room) {
    struct root *r = p->root;
    size_t words = 0;
    switch (s) {
    case MAP:
    case SET:
    case KV:
    case GRAPH:
        return table_content(p, &r->tables[0], out, room);
    case STACK:
    case QUEUE:
        return list_content(p, &r->list, out, room);
    case VECTOR:
        return array_content(p, &r->array, out, room);
    case VACATION:
        return vacation_content(p, out, room);
    case UNRELATED:
        for (int i = 0; i < TABLES; i++)
            words += table_content(p, &r->tables[i], out + words, room > words ? room - words : 0);
        return words;
    }
    abort();
}
