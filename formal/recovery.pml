/* Recovery: a crash within a crash within a crash; the rejected record never becomes trusted.
 *
 * MODELLED. Processes one after the other: each opens the pool (judges, makes durable what it believed, writes a
 * checkpoint if records were seen, each step interruptible), then commits sections, Immediate or Buffered, flushes and
 * checkpoints as it likes, reusing lines that the watermark and recovery's marking leave free, until it crashes: the
 * power goes, or the process is killed, in which case the next one reads stores that are not durable. CRASHES crashes
 * fall anywhere, so also two or three within one recovery. SECTIONS sections in all. Buffered sections make records
 * that are there while an earlier one is missing: recovery rejects them, and gives their tickets to nobody.
 *
 * ABSTRACTED AWAY. A section is one node; node and record are one line each, and carry the identity of their section,
 * which is not its ticket: two processes may give the same ticket to different sections. A checkpoint slot is one line
 * with one hash (checkpoint.pml takes it apart). Sections of kind Fenced, counts, volatile fields (stores that mean
 * nothing on the medium), relocation, growth.
 *
 * CODE. `judge` is `replay` of pmem-runtime/src/recover/replay.rs; `recover` is `repair` and `make_durable` of
 * store/recovering.rs; what the next process starts with is `recover` of store/open.rs and `Writer::new`; the rest as
 * in commit.pml and checkpoint.pml.
 *
 * LAWS. 2 and 4 across processes. What recovery finds is on the line of versions that this pool has had, not before the
 * last one acknowledged, shown or recovered to, and never one whose record was rejected. 5 in part: what a completed
 * recovery found is found again.
 *
 * VARIANTS that hold:
 *   IGNORE_CLAIMS          recovery asks every record for its proof
 * TWINS that must fail:
 *   REJECTED_NOT_PASSED    the watermark is the last believed ticket, so the next process gives a rejected one again
 *   NO_CHECKPOINT          recovery writes none, and lines are reused
 *   NEWEST_SLOT            recovery's checkpoint overwrites the newest one
 *   NO_CHECKPOINT_FENCE    the pool is open before recovery's checkpoint is durable
 *   NODES_NOT_WRITTEN_BACK what was believed by its hash is not made durable before the checkpoint names it
 *   NO_FENCE_BEFORE        it is written back, and the checkpoint is stored without a fence between
 *   NO_FRONT               checkpoints that were read are not made durable
 *   CLAIM_VISIBLE          a record claims the visible horizon, not the durable one */

#ifndef SECTIONS
#define SECTIONS 5
#endif
#ifndef CRASHES
#define CRASHES 3
#endif
#define NODES 3
#define RING 2
#define RECORD(place) (NODES + (place))
#define SLOT(s) (NODES + RING + (s))
#define LINES (NODES + RING + 2)
#define WORD(line) false
#define CHECKPOINTS 12
#define MAY_CRASH \
  if \
  :: crashes < CRASHES -> goto crash \
  :: skip \
  fi

#include "medium.inc"

/* Ghosts, by section: its ticket, its node's line, what its record claims, the section whose version it changed.
 * Section 1 is creation. */
byte ticket[SECTIONS + 1];
byte node[SECTIONS + 1];
byte claim[SECTIONS + 1];
byte parent[SECTIONS + 1];
bool rejected[SECTIONS + 1];
byte sections = 1;
/* And the stamp of its version: its ticket, or the watermark of the recovery that went on from it. */
byte stamp[SECTIONS + 1];
/* The newest section of this line of versions, which may be running. */
byte tip = 1;

/* Ghosts, by checkpoint. */
byte watermark_of[CHECKPOINTS + 1];
byte root_of[CHECKPOINTS + 1];
byte checkpoints = 1;

/* In DRAM: tickets, and the sections at the horizons. */
byte last_ticket;
byte visible;
byte durable;
byte watermark;
byte next_slot;
byte retired_by[NODES];
byte head;
byte in_place[RING];

/* What a recovery has found. */
byte base;
byte highest;
byte unclaimed;

/* The section whose version was last acknowledged, shown as durable, or recovered to. */
byte acked = 1;
byte crashes;

hidden byte at;
hidden byte found;
hidden byte last;
hidden byte claimed;
hidden byte twice;

#define IS_FREE(a) ((a) != node[visible] && retired_by[a] <= watermark)
#define HAS_ROOM (IS_FREE(0) || IS_FREE(1) || IS_FREE(2))
#define RING_FITS (in_place[head] == 0 || in_place[head] <= watermark)

inline begin_section() {
  d_step {
    sections++;
    at = 0;
    do
    :: IS_FREE(at) -> break
    :: else -> at++
    od;
    node[sections] = at;
    retired_by[at] = 0;
    last_ticket++;
    ticket[sections] = last_ticket;
    stamp[sections] = last_ticket;
    tip = sections;
    parent[sections] = visible;
#ifdef CLAIM_VISIBLE
    claim[sections] = stamp[visible];
#else
    claim[sections] = stamp[durable];
#endif
    at = 0
  }
}

/* Lines of all sections above the durable horizon, up to and with this one. */
inline write_back_through(section_id) {
  d_step {
    at = section_id;
    do
    :: at != durable ->
      write_back(node[at]);
      for (found : 0 .. RING - 1) {
        if
        :: now[RECORD(found)] == at -> write_back(RECORD(found))
        :: else
        fi
      };
      at = parent[at]
    :: else -> break
    od;
    at = 0
  }
}

inline section() {
  begin_section();
  store_long(node[sections], sections);
  MAY_CRASH;
  d_step { in_place[head] = ticket[sections]; head = (head + 1) % RING };
  store_long(RECORD((head + RING - 1) % RING), sections);
  MAY_CRASH;
  if
  :: /* Immediate */
    write_back_through(sections);
    fence();
    d_step {
      retired_by[node[visible]] = ticket[sections];
      visible = sections;
      durable = sections;
      acked = sections
    }
  :: /* Buffered */
    d_step {
      retired_by[node[visible]] = ticket[sections];
      visible = sections
    }
  fi
}

inline flush() {
  write_back_through(visible);
  fence();
  d_step { durable = visible; acked = visible }
}

inline put_checkpoint(to, mark, root) {
  d_step {
    checkpoints++;
    watermark_of[checkpoints] = mark;
    root_of[checkpoints] = root
  };
  store_long(SLOT(to), checkpoints);
  write_back(SLOT(to));
  MAY_CRASH
}

inline checkpoint() {
  flush();
  MAY_CRASH;
  put_checkpoint(next_slot, last_ticket, durable);
  fence();
  d_step { watermark = last_ticket; next_slot = 1 - next_slot };
  MAY_CRASH
}

#ifdef IGNORE_CLAIMS
#define IS_CLAIMED(x) false
#else
#define IS_CLAIMED(x) (ticket[x] <= claimed)
#endif
#define PROVES_ITSELF(x) (now[node[x]] == (x))
#define IS_RECORD(place) (IS_WHOLE(now[RECORD(place)]) && ticket[now[RECORD(place)]] > watermark)

inline judge() {
  /* The newest whole checkpoint. */
  found = 2;
  for (each : 0 .. 1) {
    if
    :: !IS_WHOLE(now[SLOT(each)])
    :: IS_WHOLE(now[SLOT(each)]) && found == 2 -> found = each
    :: IS_WHOLE(now[SLOT(each)]) && found < 2 && watermark_of[now[SLOT(each)]] >= watermark_of[now[SLOT(found)]] -> found = each
    :: else
    fi
  }
  assert(found < 2);
  next_slot = 1 - found;
  base = root_of[now[SLOT(found)]];
  watermark = watermark_of[now[SLOT(found)]];
  last = watermark;
  highest = watermark;
  claimed = watermark;
  for (each : 0 .. RING - 1) {
    if
    :: IS_RECORD(each) ->
      at = now[RECORD(each)];
      if
      :: ticket[at] > highest -> highest = ticket[at]
      :: else
      fi;
      if
      :: claim[at] > claimed -> claimed = claim[at]
      :: else
      fi
    :: else
    fi
  }
  /* Records in the order of tickets, without a gap; of two with one ticket, the first is taken and ends the version. */
  unclaimed = 0;
  twice = 0;
  do
  :: twice < 2 ->
    found = 0;
    twice = 0;
    for (each : 0 .. RING - 1) {
      if
      :: IS_RECORD(each) && ticket[now[RECORD(each)]] == last + 1 ->
        twice++;
        if
        :: found == 0 -> found = now[RECORD(each)]
        :: else
        fi
      :: else
      fi
    };
    if
    :: found != 0 && (IS_CLAIMED(found) || PROVES_ITSELF(found)) ->
      if
      :: !IS_CLAIMED(found) -> unclaimed = unclaimed | BIT(node[found])
      :: else
      fi;
      base = found;
      last = ticket[found];
      assert(!rejected[found]) /* what was rejected stays rejected */
    :: else -> break
    fi
  :: else -> break
  od;
  for (each : 0 .. RING - 1) {
    if
    :: IS_RECORD(each) && ticket[now[RECORD(each)]] > last -> rejected[now[RECORD(each)]] = true
    :: else
    fi
  }
  each = 0;
  assert(last >= claimed);         /* nothing that was said to be durable is missing */
  assert(now[node[base]] == base); /* the version is whole */
  /* It is on the line from the newest version back to the acknowledged one. */
  at = tip;
  do
  :: at != base && at != 0 -> at = parent[at]
  :: else -> break
  od;
  assert(at == base);
  do
  :: at != acked && at != 0 -> at = parent[at]
  :: else -> break
  od;
  assert(at == acked);
  at = 0;
#ifdef REJECTED_NOT_PASSED
  highest = last
#endif
}

inline recover() {
  /* What was read is not for that reason durable. */
#ifndef NO_FRONT
  d_step { write_back(SLOT(0)); write_back(SLOT(1)) };
#endif
#ifndef NODES_NOT_WRITTEN_BACK
  d_step {
    for (each : 0 .. NODES - 1) {
      if
      :: unclaimed & BIT(each) -> write_back(each)
      :: else
      fi
    };
    each = 0
  };
#endif
  MAY_CRASH;
#ifndef NO_FENCE_BEFORE
  fence();
  MAY_CRASH;
#endif
#ifndef NO_CHECKPOINT
  if
  :: highest > watermark ->
#ifdef NEWEST_SLOT
    put_checkpoint(1 - next_slot, highest, base);
#else
    put_checkpoint(next_slot, highest, base);
    next_slot = 1 - next_slot;
#endif
#ifndef NO_CHECKPOINT_FENCE
    fence();
#endif
    MAY_CRASH
  :: else
  fi;
#endif
  d_step {
    watermark = highest;
    last_ticket = highest;
    stamp[base] = highest;
    tip = base;
    visible = base;
    durable = base;
    acked = base;
    head = 0;
    for (each : 0 .. RING - 1) { in_place[each] = 0 };
    for (each : 0 .. NODES - 1) { retired_by[each] = 0 };
    base = 0;
    highest = 0;
    unclaimed = 0;
    each = 0
  }
}

active proctype Pool() {
  /* As creation leaves it: section 1, checkpointed in slot 0. */
  d_step {
    ticket[1] = 1;
    stamp[1] = 1;
    watermark_of[1] = 1;
    root_of[1] = 1;
    store(0, 1);
    store(SLOT(0), 1);
    write_back(0);
    write_back(SLOT(0));
    fence();
    visible = 1;
    durable = 1;
    watermark = 1;
    last_ticket = 1;
    next_slot = 1
  };
serve:
  MAY_CRASH;
  if
  :: sections < SECTIONS && HAS_ROOM && RING_FITS -> section(); goto serve
  :: visible != durable -> flush(); goto serve
  :: last_ticket > watermark && checkpoints < CHECKPOINTS - CRASHES -> checkpoint(); goto serve
  :: sections == SECTIONS -> goto crash
  :: else -> assert(checkpoints >= CHECKPOINTS - CRASHES) /* a checkpoint makes room, always */
  fi;
crash:
  crashes++;
  if
  :: atomic { lose_power() }
  :: kill_process()
  fi;
  d_step { judge() };
  if
  :: crashes <= CRASHES -> recover(); goto serve
  :: else
  fi
}
