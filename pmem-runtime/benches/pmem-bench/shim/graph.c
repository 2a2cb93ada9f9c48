/* A breadth-first search that a crash interrupts at most for one vertex: a queue, and a set of what was seen. */
#include "peer.h"

static uint64_t mark(uint64_t sweep, uint64_t vertex) {
    return sweep << 32 | vertex;
}

/* The next vertex from which nothing was seen yet. */
static uint64_t next_source(struct peer *p) {
    struct table *seen = &p->root->tables[0];
    uint64_t sweep = p->root->cursor.sweep, source = p->root->cursor.source, *link;
    for (;;) {
        if (source == p->graph.vertices) {
            source = 0;
            sweep++;
        }
        if (table_find(p, seen, mark(sweep, source), &link) == NULL)
            break;
        source++;
    }
    pmemobj_tx_add_range_direct(&p->root->cursor, 2 * sizeof(uint64_t));
    p->root->cursor.sweep = sweep;
    p->root->cursor.source = source + 1;
    table_add(p, seen, mark(sweep, source));
    return source;
}

static uint64_t step(struct peer *p) {
    struct list *queue = &p->root->list;
    struct table *seen = &p->root->tables[0];
    uint64_t vertex = queue->head == 0 ? next_source(p) : list_pop(p, queue);
    uint64_t *link;
    for (uint32_t i = p->graph.first[vertex]; i < p->graph.first[vertex + 1]; i++) {
        uint64_t key = mark(p->root->cursor.sweep, p->graph.next[i]);
        if (table_find(p, seen, key, &link) != NULL)
            continue;
        table_add(p, seen, key);
        list_push_back(p, queue, p->graph.next[i]);
    }
    return vertex;
}

/* The operations say how many steps, and what each vertex is multiplied with in the sum. */
uint64_t graph_run(struct peer *p, const struct op *ops, size_t n, size_t batch) {
    volatile uint64_t sum = 0;
    EACH_TX(p, n, batch, from, to, {
        for (size_t i = from; i < to; i++)
            sum += step(p) * ops[i].word;
    });
    return sum;
}
