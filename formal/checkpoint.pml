/* Checkpoints: two slots in turn, a hash over watermark and root, reuse behind the fence; Buffered sections wait for them.
 *
 * MODELLED. One writer commits TICKETS sections, Immediate or Buffered as it likes. A version is one node. Between
 * sections it may flush what waits, or write a checkpoint: flush, then the slot that does not hold the newest
 * checkpoint, write-back, fence, and only then the watermark in DRAM, which settles ring lines and retired nodes. A
 * slot is three words of eight bytes, stored to the medium each for itself: watermark, root, hash. At any moment the
 * power goes, and recovery reads what is left.
 *
 * ABSTRACTED AWAY. A node is one line whose value is the ticket that wrote it, a record too; a torn one is no node, no
 * record. What a record says (address, claim) are ghosts by ticket. The hash of a slot is right for one pair of
 * watermark and root. Sections of kind Fenced, aborted sections, counts (see commit.pml). One process (recovery.pml has
 * the rest of its life).
 *
 * CODE. `checkpoint` is `Writer::checkpoint` and `write_checkpoint` of pmem-runtime/src/commit/checkpoint.rs, `decode`
 * there is IS_SLOT; `flush` is `Buffer::flush` of commit/buffer.rs; IS_FREE is `Writer::reclaim` of commit/writer.rs
 * and SETTLED is `Ring::settle` of commit/ring.rs; `judge` is `replay` and `newest_checkpoint` of recover/replay.rs.
 *
 * LAWS. 2 and 4: recovery always finds a checkpoint, and from it a whole version that is not behind the durable
 * horizon, which is what snapshots and `sync` have shown.
 *
 * VARIANTS that hold:
 *   MASTER_FIRST        the initial design: slots without a hash; root, fence, watermark, fence
 * TWINS that must fail:
 *   WATERMARK_FIRST     slots without a hash; watermark, fence, root, fence
 *   NO_HASH             one fence, and a slot is believed without its hash
 *   SAME_SLOT           the newest checkpoint is overwritten
 *   NO_FENCE            the watermark moves before the slot is durable
 *   AHEAD_OF_DURABLE    the newest visible version is checkpointed, without a flush
 *   REUSE_AFTER_COMMIT  a line is free when the section that retired it has returned, as would do for Immediate sections alone
 *   RING_EARLY          a record is overwritten before the watermark has passed it */

#ifndef TICKETS
#define TICKETS 9
#endif
#define NODES 4
#define RING 2
#define RECORD(t) (NODES + (t) % RING)
#define WATERMARK(s) (NODES + RING + 3 * (s))
#define ROOT(s) (NODES + RING + 3 * (s) + 1)
#define HASH(s) (NODES + RING + 3 * (s) + 2)
#define LINES (NODES + RING + 6)
#define WORD(line) ((line) >= NODES + RING)
#define MAY_CRASH \
  if \
  :: skip \
  :: goto crash \
  fi

#include "medium.inc"

/* Ghosts: where the node of a ticket is, which ticket's node a line has, what a record claims. */
byte node[TICKETS + 1];
byte owner[NODES];
byte claim[TICKETS + 1];

/* In DRAM. */
byte visible;
byte durable;
byte watermark;
byte next_slot = 1;

hidden byte at;
hidden byte found;
hidden byte claimed;

/* The node of ticket `t` is retired by ticket `t + 1`. */
#ifdef REUSE_AFTER_COMMIT
#define IS_FREE(a) (owner[a] == 0 || owner[a] + 1 <= visible)
#else
#define IS_FREE(a) (owner[a] == 0 || owner[a] + 1 <= watermark)
#endif
#define HAS_ROOM (IS_FREE(0) || IS_FREE(1) || IS_FREE(2) || IS_FREE(3))

#ifdef RING_EARLY
#define SETTLED(t) true
#else
#define SETTLED(t) ((t) <= watermark + RING)
#endif

inline allocate(t) {
  d_step {
    at = 0;
    do
    :: IS_FREE(at) -> break
    :: else -> at++
    od;
    node[t] = at;
    owner[at] = t
  }
}

inline write_back_through(t) {
  d_step {
    for (at : durable + 1 .. t) {
      write_back(node[at]);
      write_back(RECORD(at))
    }
  }
}

inline section(t) {
  allocate(t);
  store(node[t], t);
  MAY_CRASH;
  d_step {
    claim[t] = durable;
    store(RECORD(t), t)
  };
  if
  :: /* Immediate */
    MAY_CRASH;
    write_back_through(t);
    fence();
    d_step { visible = t; durable = t }
  :: /* Buffered */
    visible = t
  fi
}

inline flush() {
  write_back_through(visible);
  fence();
  durable = visible
}

inline checkpoint(to) {
#ifndef AHEAD_OF_DURABLE
  flush();
#endif
  MAY_CRASH;
#ifdef WATERMARK_FIRST
  store(WATERMARK(to), visible);
  write_back(WATERMARK(to));
  MAY_CRASH;
  fence();
  MAY_CRASH;
#endif
  store(ROOT(to), node[visible] + 1);
  write_back(ROOT(to));
  MAY_CRASH;
#ifdef MASTER_FIRST
  fence();
  MAY_CRASH;
#endif
#ifndef WATERMARK_FIRST
  store(WATERMARK(to), visible);
  write_back(WATERMARK(to));
  MAY_CRASH;
#endif
#ifndef NO_HASH
#ifndef MASTER_FIRST
#ifndef WATERMARK_FIRST
  store(HASH(to), visible);
  write_back(HASH(to));
  MAY_CRASH;
#endif
#endif
#endif
#ifndef NO_FENCE
  /* The fence that lets ring lines and retired nodes up to the watermark be reused. */
  fence();
#endif
  d_step {
    watermark = visible;
#ifndef SAME_SLOT
    next_slot = 1 - to
#endif
  }
}

#if defined(NO_HASH) || defined(MASTER_FIRST) || defined(WATERMARK_FIRST)
#define IS_SLOT(s) (now[WATERMARK(s)] != 0 && now[ROOT(s)] != 0)
#else
#define IS_SLOT(s) (now[HASH(s)] != 0 && now[WATERMARK(s)] == now[HASH(s)] && now[ROOT(s)] == node[now[HASH(s)]] + 1)
#endif

#define BELIEVED(t) (now[RECORD(t)] == (t) && ((t) <= claimed || now[node[t]] == (t)))

inline judge() {
  found = 2;
  at = 0;
  for (each : 0 .. 1) {
    if
    :: IS_SLOT(each) && now[WATERMARK(each)] > at -> found = each; at = now[WATERMARK(each)]
    :: else
    fi
  }
  each = 0;
  assert(found < 2); /* a checkpoint is there */
  claimed = at;
  for (each : NODES .. NODES + RING - 1) {
    if
    :: IS_WHOLE(now[each]) && now[each] > at && claim[now[each]] > claimed -> claimed = claim[now[each]]
    :: else
    fi
  }
  if
  :: at + 1 <= TICKETS && BELIEVED(at + 1) ->
    do
    :: at + 1 <= TICKETS && BELIEVED(at + 1) -> at++
    :: else -> break
    od;
    found = node[at]
  :: else -> found = now[ROOT(found)] - 1
  fi;
  assert(at >= claimed);     /* nothing that was said to be durable is missing */
  assert(at >= durable);     /* nothing that was shown as durable is gone */
  assert(now[found] == at)   /* the version is whole, and the one that the ticket says */
}

active proctype Writer() {
  byte t = 2;
  /* As creation leaves it: version 1, checkpointed in slot 0. */
  d_step {
    node[1] = 0;
    owner[0] = 1;
    store(0, 1);
    store(WATERMARK(0), 1);
    store(ROOT(0), 1);
    store(HASH(0), 1);
    write_back(0);
    write_back(WATERMARK(0));
    write_back(ROOT(0));
    write_back(HASH(0));
    fence();
    visible = 1;
    durable = 1;
    watermark = 1
  };
  do
  :: t <= TICKETS && SETTLED(t) && HAS_ROOM -> section(t); t++; MAY_CRASH
  :: visible > durable -> flush(); MAY_CRASH
  :: visible > watermark -> checkpoint(next_slot); MAY_CRASH
  :: t > TICKETS -> goto crash
  :: else -> assert(false) /* a checkpoint makes room, always */
  od;
crash:
  atomic {
    lose_power();
    d_step { judge() }
  }
}
