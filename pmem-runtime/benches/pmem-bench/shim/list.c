/* A singly linked list: stack, and queue with a tail. */
#include "peer.h"

#include <stdlib.h>

struct item {
    uint64_t link, value;
};

static void push_front(struct peer *p, struct list *l, uint64_t value) {
    uint64_t offset = peer_alloc(p, sizeof(struct item));
    struct item *item = at(p, offset);
    item->link = l->head;
    item->value = value;
    peer_set(&l->head, offset);
}

void list_push_back(struct peer *p, struct list *l, uint64_t value) {
    uint64_t offset = peer_alloc(p, sizeof(struct item));
    struct item *item = at(p, offset);
    item->link = 0;
    item->value = value;
    peer_set(l->tail == 0 ? &l->head : &((struct item *)at(p, l->tail))->link, offset);
    peer_set(&l->tail, offset);
}

uint64_t list_pop(struct peer *p, struct list *l) {
    uint64_t offset = l->head;
    struct item *item = at(p, offset);
    uint64_t value = item->value;
    peer_set(&l->head, item->link);
    if (item->link == 0 && l->tail != 0)
        peer_set(&l->tail, 0);
    pmemobj_tx_free(oid_of(p, offset));
    return value;
}

static void publish(struct peer *p, struct pobj_action *actions, size_t count) {
    if (pmemobj_publish(p->pool, actions, count) != 0)
        peer_die("publish");
}

static void push_hand(struct peer *p, struct list *l, int is_queue, uint64_t value) {
    struct pobj_action actions[3];
    uint64_t offset = peer_reserve(p, &actions[0], sizeof(struct item));
    struct item *item = at(p, offset);
    item->link = is_queue ? 0 : l->head;
    item->value = value;
    pmemobj_persist(p->pool, item, sizeof *item);
    size_t count = 2;
    if (is_queue) {
        uint64_t *link = l->tail == 0 ? &l->head : &((struct item *)at(p, l->tail))->link;
        pmemobj_set_value(p->pool, &actions[1], link, offset);
        pmemobj_set_value(p->pool, &actions[count++], &l->tail, offset);
    } else {
        pmemobj_set_value(p->pool, &actions[1], &l->head, offset);
    }
    publish(p, actions, count);
}

static uint64_t pop_hand(struct peer *p, struct list *l) {
    struct pobj_action actions[3];
    uint64_t offset = l->head;
    struct item *item = at(p, offset);
    uint64_t value = item->value;
    size_t count = 2;
    pmemobj_defer_free(p->pool, oid_of(p, offset), &actions[0]);
    pmemobj_set_value(p->pool, &actions[1], &l->head, item->link);
    if (item->link == 0 && l->tail != 0)
        pmemobj_set_value(p->pool, &actions[count++], &l->tail, 0);
    publish(p, actions, count);
    return value;
}

static uint64_t slice_tx(struct peer *p, struct list *l, int is_queue, enum action a, const struct op *ops, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (a == POP)
            sum += list_pop(p, l);
        else if (is_queue)
            list_push_back(p, l, ops[i].word);
        else
            push_front(p, l, ops[i].word);
    }
    return sum;
}

uint64_t list_run(struct peer *p, struct list *l, int is_queue, enum action a, enum way w, const struct op *ops, size_t n,
                  size_t batch) {
    volatile uint64_t sum = 0;
    if (w == HAND && batch == 1) {
        for (size_t i = 0; i < n; i++) {
            if (a == POP)
                sum += pop_hand(p, l);
            else
                push_hand(p, l, is_queue, ops[i].word);
        }
        return sum;
    }
    EACH_TX(p, n, batch, from, to, sum += slice_tx(p, l, is_queue, a, ops + from, to - from));
    return sum;
}

size_t list_content(const struct peer *p, const struct list *l, uint64_t *out, size_t room) {
    size_t words = 0;
    for (uint64_t offset = l->head; offset != 0; words++) {
        const struct item *item = at(p, offset);
        if (words < room)
            out[words] = item->value;
        offset = item->link;
    }
    return words;
}
