/* A growing array of words. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

void array_make(struct peer *p, struct array *v, uint64_t room) {
    TX_BEGIN(p->pool) {
        pmemobj_tx_add_range_direct(v, sizeof *v);
        v->room = room < 8 ? 8 : room;
        v->items = pmemobj_tx_alloc(v->room * sizeof(uint64_t), 3).off;
        v->length = 0;
    }
    TX_ONABORT {
        peer_die("array");
    }
    TX_END
}

/* Doubles the room, in the running transaction. */
static void grow(struct peer *p, struct array *v) {
    size_t old_bytes = v->room * sizeof(uint64_t);
    uint64_t items = peer_alloc(p, 2 * old_bytes);
    memcpy(at(p, items), at(p, v->items), old_bytes);
    pmemobj_tx_free(oid_of(p, v->items));
    peer_set(&v->items, items);
    peer_set(&v->room, 2 * v->room);
}

static void append_tx(struct peer *p, struct array *v, uint64_t word) {
    if (v->length == v->room)
        grow(p, v);
    uint64_t *item = (uint64_t *)at(p, v->items) + v->length;
    /* What lies behind the length needs no snapshot. */
    pmemobj_tx_xadd_range_direct(item, sizeof *item, POBJ_XADD_NO_SNAPSHOT);
    *item = word;
    peer_set(&v->length, v->length + 1);
}

static void write_hand(struct peer *p, uint64_t *word, uint64_t value) {
    *word = value; /* an aligned word is never torn */
    pmemobj_persist(p->pool, word, sizeof *word);
}

static void append_hand(struct peer *p, struct array *v, uint64_t word) {
    if (v->length == v->room) {
        TX_BEGIN(p->pool) {
            grow(p, v);
        }
        TX_ONABORT {
            peer_die("grow");
        }
        TX_END
    }
    write_hand(p, (uint64_t *)at(p, v->items) + v->length, word);
    write_hand(p, &v->length, v->length + 1);
}

static void slice_tx(struct peer *p, struct array *v, enum action a, const struct op *ops, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t *items = at(p, v->items);
        uint64_t first;
        switch (a) {
        case WRITE:
            peer_set(&items[ops[i].key], ops[i].word);
            break;
        case SWAP:
            first = items[ops[i].key];
            peer_set(&items[ops[i].key], items[ops[i].word]);
            peer_set(&items[ops[i].word], first);
            break;
        case APPEND:
            append_tx(p, v, ops[i].word);
            break;
        default:
            abort();
        }
    }
}

static uint64_t lookup(const struct peer *p, const struct array *v, const struct op *ops, size_t n) {
    const uint64_t *items = at(p, v->items);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += items[ops[i].key];
    return sum;
}

uint64_t array_run(struct peer *p, struct array *v, enum action a, enum way w, const struct op *ops, size_t n, size_t batch) {
    if (a == LOOKUP)
        return lookup(p, v, ops, n);
    if (w == HAND && batch == 1 && a != SWAP) {
        for (size_t i = 0; i < n; i++) {
            if (a == APPEND)
                append_hand(p, v, ops[i].word);
            else
                write_hand(p, (uint64_t *)at(p, v->items) + ops[i].key, ops[i].word);
        }
        return 0;
    }
    EACH_TX(p, n, batch, from, to, slice_tx(p, v, a, ops + from, to - from));
    return 0;
}

size_t array_content(const struct peer *p, const struct array *v, uint64_t *out, size_t room) {
    if (v->length <= room)
        memcpy(out, at(p, v->items), v->length * sizeof *out);
    return v->length;
}
