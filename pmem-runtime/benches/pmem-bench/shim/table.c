/* A chained hash table: map, set, and key-value store. */
#include "peer.h"

#include <stdlib.h>
#include <string.h>

static uint64_t power_of_two(uint64_t at_least) {
    uint64_t n = 1;
    while (n < at_least)
        n *= 2;
    return n;
}

void table_make(struct peer *p, struct table *t, uint64_t buckets, uint64_t key_words, uint64_t value_words) {
    buckets = power_of_two(buckets);
    TX_BEGIN(p->pool) {
        pmemobj_tx_add_range_direct(t, sizeof *t);
        t->buckets = pmemobj_tx_zalloc(buckets * sizeof(uint64_t), 2).off;
        t->mask = buckets - 1;
        t->key_words = key_words;
        t->value_words = value_words;
        t->count = 0;
    }
    TX_ONABORT {
        peer_die("table");
    }
    TX_END
}

static uint64_t *bucket_of(const struct peer *p, const struct table *t, uint64_t key) {
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return (uint64_t *)at(p, t->buckets) + ((hash >> 32) & t->mask);
}

/* The second word of a key of two follows from the first. */
static uint64_t second_word(uint64_t key) {
    return ~key;
}

struct node *table_find(const struct peer *p, const struct table *t, uint64_t key, uint64_t **link) {
    uint64_t *l = bucket_of(p, t, key);
    while (*l != 0) {
        struct node *node = at(p, *l);
        if (node->words[0] == key && (t->key_words == 1 || node->words[1] == second_word(key))) {
            *link = l;
            return node;
        }
        l = &node->link;
    }
    *link = NULL;
    return NULL;
}

static size_t node_bytes(const struct table *t) {
    return sizeof(struct node) + (t->key_words + t->value_words) * sizeof(uint64_t);
}

static uint64_t *value_of(const struct table *t, struct node *node) {
    return node->words + t->key_words;
}

static void set_key(const struct table *t, struct node *node, uint64_t key) {
    node->words[0] = key;
    if (t->key_words == 2)
        node->words[1] = second_word(key);
}

struct node *table_add(struct peer *p, struct table *t, uint64_t key) {
    uint64_t offset = peer_alloc(p, node_bytes(t));
    struct node *node = at(p, offset);
    uint64_t *bucket = bucket_of(p, t, key);
    set_key(t, node, key);
    node->link = *bucket;
    peer_set(bucket, offset);
    peer_set(&t->count, t->count + 1);
    return node;
}

void table_drop(struct peer *p, struct table *t, uint64_t *link) {
    uint64_t offset = *link;
    struct node *node = at(p, offset);
    peer_set(link, node->link);
    peer_set(&t->count, t->count - 1);
    pmemobj_tx_free(oid_of(p, offset));
}

/* Snapshots the old value, and overwrites it. */
static void overwrite(const struct table *t, struct node *node, uint64_t word) {
    uint64_t *value = value_of(t, node);
    pmemobj_tx_add_range_direct(value, t->value_words * sizeof *value);
    fill(value, t->value_words, word);
}

static uint64_t insert_tx(struct peer *p, struct table *t, const struct op *ops, size_t n) {
    uint64_t added = 0, *link;
    for (size_t i = 0; i < n; i++) {
        struct node *node = table_find(p, t, ops[i].key, &link);
        if (node != NULL) {
            overwrite(t, node, ops[i].word);
            continue;
        }
        fill(value_of(t, table_add(p, t, ops[i].key)), t->value_words, ops[i].word);
        added++;
    }
    return added;
}

static uint64_t update_tx(struct peer *p, struct table *t, const struct op *ops, size_t n) {
    uint64_t sum = 0, *link;
    for (size_t i = 0; i < n; i++) {
        struct node *node = table_find(p, t, ops[i].key, &link);
        if (node == NULL)
            continue;
        sum += seen(value_of(t, node), t->value_words);
        overwrite(t, node, ops[i].word);
    }
    return sum;
}

static uint64_t remove_tx(struct peer *p, struct table *t, const struct op *ops, size_t n) {
    uint64_t sum = 0, *link;
    for (size_t i = 0; i < n; i++) {
        struct node *node = table_find(p, t, ops[i].key, &link);
        if (node == NULL)
            continue;
        sum += seen(value_of(t, node), t->value_words);
        table_drop(p, t, link);
    }
    return sum;
}

static uint64_t lookup(struct peer *p, struct table *t, const struct op *ops, size_t n) {
    uint64_t sum = 0, *link;
    for (size_t i = 0; i < n; i++) {
        struct node *node = table_find(p, t, ops[i].key, &link);
        if (node != NULL)
            sum += seen(value_of(t, node), t->value_words);
    }
    return sum;
}

static void publish(struct peer *p, struct pobj_action *actions, size_t count) {
    if (pmemobj_publish(p->pool, actions, count) != 0)
        peer_die("publish");
}

/* A durable node outside of everything, to be published. */
static uint64_t prepare(struct peer *p, struct table *t, struct pobj_action *action, const struct op *op, uint64_t next) {
    uint64_t offset = peer_reserve(p, action, node_bytes(t));
    struct node *node = at(p, offset);
    node->link = next;
    set_key(t, node, op->key);
    fill(value_of(t, node), t->value_words, op->word);
    pmemobj_persist(p->pool, node, node_bytes(t));
    return offset;
}

/* Replaces the node of a key that is there. */
static uint64_t replace_hand(struct peer *p, struct table *t, uint64_t *link, const struct op *op) {
    struct pobj_action actions[3];
    struct node *old = at(p, *link);
    uint64_t sum = seen(value_of(t, old), t->value_words);
    uint64_t offset = prepare(p, t, &actions[0], op, old->link);
    pmemobj_set_value(p->pool, &actions[1], link, offset);
    pmemobj_defer_free(p->pool, oid_of(p, *link), &actions[2]);
    publish(p, actions, 3);
    return sum;
}

static uint64_t insert_hand(struct peer *p, struct table *t, const struct op *op) {
    struct pobj_action actions[3];
    uint64_t *link;
    if (table_find(p, t, op->key, &link) != NULL) {
        replace_hand(p, t, link, op);
        return 0;
    }
    uint64_t *bucket = bucket_of(p, t, op->key);
    uint64_t offset = prepare(p, t, &actions[0], op, *bucket);
    pmemobj_set_value(p->pool, &actions[1], bucket, offset);
    pmemobj_set_value(p->pool, &actions[2], &t->count, t->count + 1);
    publish(p, actions, 3);
    return 1;
}

static uint64_t update_hand(struct peer *p, struct table *t, const struct op *op) {
    uint64_t *link;
    return table_find(p, t, op->key, &link) == NULL ? 0 : replace_hand(p, t, link, op);
}

static uint64_t remove_hand(struct peer *p, struct table *t, const struct op *op) {
    struct pobj_action actions[3];
    uint64_t *link;
    struct node *node = table_find(p, t, op->key, &link);
    if (node == NULL)
        return 0;
    uint64_t sum = seen(value_of(t, node), t->value_words);
    pmemobj_defer_free(p->pool, oid_of(p, *link), &actions[0]);
    pmemobj_set_value(p->pool, &actions[1], link, node->link);
    pmemobj_set_value(p->pool, &actions[2], &t->count, t->count - 1);
    publish(p, actions, 3);
    return sum;
}

static uint64_t slice_tx(struct peer *p, struct table *t, enum action a, const struct op *ops, size_t n) {
    switch (a) {
    case INSERT:
        return insert_tx(p, t, ops, n);
    case UPDATE:
        return update_tx(p, t, ops, n);
    case REMOVE:
        return remove_tx(p, t, ops, n);
    default:
        abort();
    }
}

static uint64_t one_hand(struct peer *p, struct table *t, enum action a, const struct op *op) {
    switch (a) {
    case INSERT:
        return insert_hand(p, t, op);
    case UPDATE:
        return update_hand(p, t, op);
    case REMOVE:
        return remove_hand(p, t, op);
    default:
        abort();
    }
}

uint64_t table_run(struct peer *p, struct table *t, enum action a, enum way w, const struct op *ops, size_t n, size_t batch) {
    volatile uint64_t sum = 0;
    if (a == LOOKUP)
        return lookup(p, t, ops, n);
    if (w == HAND && batch == 1) {
        for (size_t i = 0; i < n; i++)
            sum += one_hand(p, t, a, &ops[i]);
        return sum;
    }
    EACH_TX(p, n, batch, from, to, sum += slice_tx(p, t, a, ops + from, to - from));
    return sum;
}

uint64_t unrelated_run(struct peer *p, enum action a, uint64_t roots, const struct op *ops, size_t n, size_t batch) {
    volatile uint64_t sum = 0;
    EACH_TX(p, n, batch, from, to, {
        for (uint64_t i = 0; i < roots; i++)
            sum += slice_tx(p, &p->root->tables[i], a, ops + from, to - from);
    });
    return sum;
}

size_t table_content(const struct peer *p, const struct table *t, uint64_t *out, size_t room) {
    size_t width = t->key_words + t->value_words, words = 0;
    for (uint64_t bucket = 0; bucket <= t->mask; bucket++) {
        uint64_t offset = ((uint64_t *)at(p, t->buckets))[bucket];
        while (offset != 0) {
            struct node *node = at(p, offset);
            if (words + width <= room)
                memcpy(out + words, node->words, width * sizeof *out);
            words += width;
            offset = node->link;
        }
    }
    return words == t->count * width ? words : 0;
}
