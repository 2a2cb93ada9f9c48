/* One fence a commit: record and nodes together, reuse behind the watermark, an evictor that acts at every moment.
 *
 * MODELLED. One writer commits TICKETS Immediate sections. Version `t` is a root node and a leaf; a section makes a new
 * root and either a new leaf or shares the old one. It stores its nodes in lines that are free, writes them back,
 * stores the record of ticket `t` in a ring of RING lines, writes it back, and fences once; or, of kind Fenced, it
 * fences the nodes first and the record does not name them. Then the section is acknowledged and what it replaced is
 * retired. At any moment between sections the writer may write a checkpoint: one line, in one of two slots in turn. A
 * retired line is free when the durable watermark has reached the ticket that retired it; a ring line is free when it
 * has reached the record in it. Beside the writer, an evictor puts any line that differs from the medium on the medium,
 * whole or torn, at any moment; and at any moment the power goes. Then recovery reads the medium.
 *
 * ABSTRACTED AWAY. A line has one value, the ticket that wrote it; hashes never collide; the record names a node's
 * address and content (ghosts by ticket). A node is one line, a record is one line. Counts are not there (recovery does
 * not read them). No aborted sections, no Buffered ones (sections.pml), no second process (recovery.pml).
 *
 * CODE. `section` is `commit` and `persist` of pmem-runtime/src/commit/publish.rs; `checkpoint` is
 * `Writer::write_checkpoint` of commit/checkpoint.rs; `is_free` is `Writer::reclaim` of commit/writer.rs, the ring's is
 * `Ring::settle` and `fits` of commit/ring.rs; `judge` is `replay` of recover/replay.rs.
 *
 * LAWS. 2: what recovery finds is a version, whole, and not older than the last one acknowledged. 4: no line is reused
 * while a version that recovery may choose reaches it. 3 as a consequence: one fence is enough (kind Hashed).
 *
 * VARIANTS that hold:
 *   IGNORE_CLAIMS      recovery asks every record for its proof
 *   REUSE_AFTER_FENCE  a retired line is free when its section's fence has returned, without a watermark. This is so
 *                      only because the next record claims that the section was durable, and because no section is
 *                      Buffered (checkpoint.pml, REUSE_AFTER_COMMIT)
 * TWINS that must fail:
 *   NO_FENCE           acknowledged without a fence
 *   NO_FLUSH           nodes are not written back
 *   FLUSH_EARLY        nodes are written back before their last store
 *   NO_HASH            a record is believed by being there
 *   UNFENCED_KIND      a record of kind Fenced is written before its nodes are fenced
 *   REUSE_AT_ONCE      a line is free when a running section has its copy
 *   REUSE_AFTER_FENCE and IGNORE_CLAIMS together
 *   RING_EARLY         a ring line is overwritten before the watermark has passed its record
 *   CLAIM_AHEAD        a record claims that its own ticket is durable
 *   NO_CHECKPOINT_FENCE  the watermark moves before the slot's fence */

#ifndef TICKETS
#define TICKETS 5
#endif
#define NODES 5
#ifndef RING
#define RING 2
#endif
#define RECORD(t) (NODES + (t) % RING)
#define SLOT(s) (NODES + RING + (s))
#define LINES (NODES + RING + 2)
#define TORN 15
#define LIVE 15

byte cache[LINES];
byte medium[LINES];
bool flushing[LINES];

/* Ghosts, by ticket: what its record says. */
byte root[TICKETS + 1];
byte leaf[TICKETS + 1];
byte leaf_by[TICKETS + 1];
byte claim[TICKETS + 1];
bool fenced[TICKETS + 1];

/* The writer's, in DRAM. */
byte retired_by[NODES];
byte watermark;
byte next_slot = 1;
byte acked;

hidden byte each;
byte at;
hidden byte found;
hidden byte last;
hidden byte durable;

/* What a section stores to a line, it writes back next; nothing can tell the moment between. */
inline store_and_write_back(line, x) {
  cache[line] = x;
  flushing[line] = true
}

inline put_node(line, x) {
#ifdef FLUSH_EARLY
  /* The write-back found the line as it was; it does not cover what is stored after it. */
  flushing[line] = false;
  cache[line] = x
#else
  cache[line] = x;
#ifndef NO_FLUSH
  flushing[line] = true
#endif
#endif
}

inline fence() {
  d_step {
    for (each : 0 .. LINES - 1) {
      if
      :: flushing[each] -> medium[each] = cache[each]; flushing[each] = false
      :: else
      fi
    }
    each = 0
  }
}

#ifdef REUSE_AFTER_FENCE
#define IS_FREE(a) (retired_by[a] <= acked)
#else
#define IS_FREE(a) (retired_by[a] <= watermark)
#endif

#ifdef RING_EARLY
#define RING_FITS(t) true
#else
#define RING_FITS(t) ((t) <= watermark + RING)
#endif

#define VACANT (IS_FREE(0) + IS_FREE(1) + IS_FREE(2) + IS_FREE(3) + IS_FREE(4))

/* A root anywhere, a leaf at the first free line. */
inline new_root(t) {
  atomic {
    if
    :: IS_FREE(0) -> at = 0
    :: IS_FREE(1) -> at = 1
    :: IS_FREE(2) -> at = 2
    :: IS_FREE(3) -> at = 3
    :: IS_FREE(4) -> at = 4
    fi;
    root[t] = at;
    retired_by[at] = LIVE;
    put_node(at, t);
    at = 0;
    leaf[t] = leaf[t - 1];
    leaf_by[t] = leaf_by[t - 1];
#ifdef REUSE_AT_ONCE
    retired_by[root[t - 1]] = 0
#endif
  }
}

inline new_leaf(t) {
  d_step {
    at = 0;
    do
    :: IS_FREE(at) -> break
    :: else -> at++
    od;
    leaf[t] = at;
    leaf_by[t] = t;
    retired_by[at] = LIVE;
    put_node(at, t);
    at = 0
  }
}

inline put_record(t) {
  d_step {
#ifdef CLAIM_AHEAD
    claim[t] = t;
#else
    claim[t] = acked;
#endif
    store_and_write_back(RECORD(t), t)
  }
}

inline retire(a, t) {
  if
  :: retired_by[a] == LIVE -> retired_by[a] = t
  :: else
  fi
}

inline section(t) {
  new_root(t);
  if
  :: skip
  :: VACANT > 0 -> new_leaf(t)
  fi;
  if
  :: put_record(t)
  :: fenced[t] = true;
#ifndef UNFENCED_KIND
    /* The fence that lets the record's existence vouch for the nodes. */
    fence();
#endif
    put_record(t)
  fi;
#ifndef NO_FENCE
  /* The fence that makes the section true. */
  fence();
#endif
  d_step {
    acked = t;
    if
    :: root[t - 1] != leaf[t] && root[t - 1] != root[t] -> retire(root[t - 1], t)
    :: else
    fi;
    if
    :: leaf[t] != leaf[t - 1] && leaf[t - 1] != root[t] -> retire(leaf[t - 1], t)
    :: else
    fi
  }
}

inline checkpoint() {
  d_step { store_and_write_back(SLOT(next_slot), acked) };
#ifndef NO_CHECKPOINT_FENCE
  fence();
#endif
  d_step { watermark = acked; next_slot = 1 - next_slot }
}

active proctype Writer() {
  byte t = 2;
  /* As creation leaves it: version 1, checkpointed in slot 0. */
  d_step {
    root[1] = 0;
    leaf[1] = 1;
    leaf_by[1] = 1;
    cache[0] = 1; medium[0] = 1;
    cache[1] = 1; medium[1] = 1;
    cache[SLOT(0)] = 1; medium[SLOT(0)] = 1;
    retired_by[0] = LIVE;
    retired_by[1] = LIVE;
    watermark = 1;
    acked = 1
  };
  do
  :: t <= TICKETS && RING_FITS(t) && VACANT > 0 -> section(t); t++
  :: acked > watermark -> checkpoint()
  :: t > TICKETS -> break
  :: else -> assert(false) /* a checkpoint makes room, always */
  od
}

active proctype Evictor() {
  byte line;
end:
  do
  :: atomic {
      line = 0;
      do
      :: line < LINES - 1 -> line++
      :: break
      od;
      if
      :: cache[line] != medium[line] -> medium[line] = cache[line]
      :: cache[line] != medium[line] -> medium[line] = TORN
      :: else
      fi;
      line = 0
    }
  od
}

#define HOLDS_VERSION(x) (medium[root[x]] == (x) && medium[leaf[x]] == leaf_by[x])
#define OWN_NODES(x) (medium[root[x]] == (x) && (leaf_by[x] != (x) || medium[leaf[x]] == (x)))

#ifdef NO_HASH
#define PROVES_ITSELF(x) true
#else
#define PROVES_ITSELF(x) (fenced[x] || OWN_NODES(x))
#endif

#ifdef IGNORE_CLAIMS
#define IS_CLAIMED(x) false
#else
#define IS_CLAIMED(x) ((x) <= durable)
#endif

inline judge() {
  found = 0;
  for (each : 0 .. 1) {
    if
    :: medium[SLOT(each)] != TORN && medium[SLOT(each)] > found -> found = medium[SLOT(each)]
    :: else
    fi
  }
  assert(found > 0); /* a whole checkpoint is there */
  durable = found;
  for (each : NODES .. NODES + RING - 1) {
    last = medium[each];
    if
    :: last != TORN && last > found && claim[last] > durable -> durable = claim[last]
    :: else
    fi
  }
  each = 0;
  last = found;
  do
  :: last < TICKETS && medium[RECORD(last + 1)] == last + 1 && (IS_CLAIMED(last + 1) || PROVES_ITSELF(last + 1)) -> last++
  :: else -> break
  od;
  assert(last >= durable); /* nothing that was said to be durable is missing */
  assert(last >= acked);   /* nothing that was acknowledged is gone */
  assert(HOLDS_VERSION(last)) /* the version is whole */
}

/* The power may go at every moment. What recovery would then find is judged, and the run goes on as if it had not gone: the
 * judgement changes nothing. */
active proctype Power() {
end:
  do
  :: d_step { acked > 0 -> judge() }
  od
}
