/* A travel agency: three tables of what can be reserved, and one of customers with what they have. */
#include "peer.h"

#define KINDS 3
#define CUSTOMERS 3
#define QUERIES 4

struct resource {
    uint64_t total, used, free, price;
};

struct reservation {
    uint64_t link, kind, id, price;
};

static struct resource *resource_of(struct peer *p, uint64_t kind, uint64_t id) {
    uint64_t *link;
    struct node *node = table_find(p, &p->root->tables[kind], id, &link);
    return node == NULL ? NULL : (struct resource *)(node->words + 1);
}

/* Snapshots a row before it changes. */
static struct resource *change(struct resource *r) {
    pmemobj_tx_add_range_direct(r, sizeof *r);
    return r;
}

void vacation_make(struct peer *p) {
    for (int kind = 0; kind < KINDS; kind++)
        table_make(p, &p->root->tables[kind], p->records, 1, 4);
    table_make(p, &p->root->tables[CUSTOMERS], p->records, 1, 1);
    for (uint64_t id = 0; id < p->records; id++) {
        TX_BEGIN(p->pool) {
            for (int kind = 0; kind < KINDS; kind++) {
                struct resource *r = (struct resource *)(table_add(p, &p->root->tables[kind], id)->words + 1);
                *r = (struct resource){100, 0, 100, 50 + (id * 7 + kind) % 100};
            }
        }
        TX_ONABORT {
            peer_die("vacation");
        }
        TX_END
    }
}

static uint64_t *customer_of(struct peer *p, uint64_t customer) {
    uint64_t *link;
    struct node *node = table_find(p, &p->root->tables[CUSTOMERS], customer, &link);
    if (node == NULL) {
        node = table_add(p, &p->root->tables[CUSTOMERS], customer);
        node->words[1] = 0;
    }
    return &node->words[1];
}

static uint64_t reserve(struct peer *p, uint64_t customer, uint64_t state) {
    uint64_t best[KINDS] = {0}, ids[KINDS] = {0}, sum = 0;
    for (int i = 0; i < QUERIES; i++) {
        uint64_t kind = draw(&state) % KINDS, id = draw(&state) % p->records;
        const struct resource *r = resource_of(p, kind, id);
        if (r != NULL && r->free > 0 && r->price > best[kind]) {
            best[kind] = r->price;
            ids[kind] = id;
        }
    }
    for (uint64_t kind = 0; kind < KINDS; kind++) {
        if (best[kind] == 0)
            continue;
        struct resource *r = change(resource_of(p, kind, ids[kind]));
        r->free--;
        r->used++;
        uint64_t *head = customer_of(p, customer);
        uint64_t offset = peer_alloc(p, sizeof(struct reservation));
        *(struct reservation *)at(p, offset) = (struct reservation){*head, kind, ids[kind], best[kind]};
        peer_set(head, offset);
        sum += best[kind];
    }
    return sum;
}

static uint64_t leave(struct peer *p, uint64_t customer) {
    uint64_t *link, bill = 0;
    struct node *node = table_find(p, &p->root->tables[CUSTOMERS], customer, &link);
    if (node == NULL)
        return 0;
    for (uint64_t offset = node->words[1]; offset != 0;) {
        struct reservation *had = at(p, offset);
        struct resource *r = change(resource_of(p, had->kind, had->id));
        r->free++;
        r->used--;
        bill += had->price;
        uint64_t next = had->link;
        pmemobj_tx_free(oid_of(p, offset));
        offset = next;
    }
    table_drop(p, &p->root->tables[CUSTOMERS], link);
    return bill;
}

static uint64_t restock(struct peer *p, uint64_t state) {
    for (int i = 0; i < QUERIES; i++) {
        uint64_t kind = draw(&state) % KINDS, id = draw(&state) % p->records, what = draw(&state);
        struct resource *r = resource_of(p, kind, id);
        if (what % 2 == 0) {
            change(r);
            r->total += 100;
            r->free += 100;
            r->price = 50 + what / 2 % 100;
        } else if (r->free >= 100) {
            change(r);
            r->total -= 100;
            r->free -= 100;
        }
    }
    return 1;
}

static uint64_t task(struct peer *p, const struct op *op) {
    uint64_t state = op->word, choice = draw(&state) % 100;
    if (choice < 90)
        return reserve(p, op->key, state);
    return choice < 95 ? leave(p, op->key) : restock(p, state);
}

uint64_t vacation_run(struct peer *p, const struct op *ops, size_t n, size_t batch) {
    volatile uint64_t sum = 0;
    EACH_TX(p, n, batch, from, to, {
        for (size_t i = from; i < to; i++)
            sum += task(p, &ops[i]);
    });
    return sum;
}

static size_t put(uint64_t *out, size_t room, size_t words, uint64_t word) {
    if (words < room)
        out[words] = word;
    return words + 1;
}

/* Rows: a number of the table, the key, and four words. A customer's are a digest of the reservations, in order. */
size_t vacation_content(const struct peer *p, uint64_t *out, size_t room) {
    size_t words = 0;
    for (uint64_t table = 0; table <= CUSTOMERS; table++) {
        const struct table *t = &p->root->tables[table];
        for (uint64_t bucket = 0; bucket <= t->mask; bucket++) {
            for (uint64_t offset = ((uint64_t *)at(p, t->buckets))[bucket]; offset != 0;) {
                const struct node *node = at(p, offset);
                uint64_t row[4] = {0};
                for (int i = 0; i < 4 && table < CUSTOMERS; i++)
                    row[i] = node->words[1 + i];
                for (uint64_t r = table == CUSTOMERS ? node->words[1] : 0; r != 0;) {
                    const struct reservation *had = at(p, r);
                    row[0]++;
                    row[1] = row[1] * 31 + had->kind;
                    row[2] = row[2] * 31 + had->id;
                    row[3] = row[3] * 31 + had->price;
                    r = had->link;
                }
                words = put(out, room, words, table);
                words = put(out, room, words, node->words[0]);
                for (int i = 0; i < 4; i++)
                    words = put(out, room, words, row[i]);
                offset = node->link;
            }
        }
    }
    return words;
}
