/* Sections side by side: tickets, the visible and the durable horizon, a flusher, a reader, a medium that fails.
 *
 * MODELLED. Two writers, each with SECTIONS sections, Immediate or Buffered as they like; a flusher that flushes
 * whenever something waits; a reader that takes snapshots at the durable horizon. As built, a section holds the pool's
 * writer from before its ticket until its commit is over. With SEVERAL the writers run at once, each on a cell of its
 * own: the protocol that format, clock and pins are ready for, with three changes that this model was found to need
 * (below). A fence completes the write-backs of its own thread only. One fence may fail: what it was to cover may never
 * be durable, the medium refuses every later fence, the pool is poisoned. At any moment the power may go: whenever a
 * store adds to what the medium may hold, or something is acknowledged or read, everything that recovery could find is
 * judged.
 *
 * ABSTRACTED AWAY. A section is one node and one record, each on its line; a line that is not certain is there or not
 * (torn is as good as not). No reuse and no checkpoints (checkpoint.pml, recovery.pml); pins are loom's
 * (section/pins/models.rs). Memory between threads is sequentially consistent; the orderings are loom's too
 * (section/clock/models.rs). Waiting is waiting, not spinning.
 *
 * CODE. `Immediate` and `Buffered` are `persist` of pmem-runtime/src/commit/publish.rs; `flush`, `add` and `settle` are
 * those of commit/buffer.rs; `complete`, `publish_visible` and `advance` are those of section/clock.rs; the failing
 * fence is `PageCache` of hw/file.rs and `Core::fail` of commit/core.rs; the reader is `Pool::snapshot`; `judge` is
 * `replay` of recover/replay.rs.
 *
 * LAWS. 2: recovery finds a prefix of the tickets, without a gap, every section of it whole, at or past every section
 * that was acknowledged and every horizon that a reader has read; nothing is missing that a record claims. A reader
 * finds all versions up to its horizon linked. Nobody waits for ever.
 *
 * VARIANTS that hold:
 *   SEVERAL            writers at once; a Buffered section awaits its turn before it takes the buffer's lock, an
 *                      Immediate one gives the lock back before it awaits its own, and a flusher whose fence failed
 *                      fails the tickets that wait
 * TWINS that must fail:
 *   STAMP_EARLY        the durable horizon moves before the fence
 *   READ_VISIBLE       a snapshot reads at the visible horizon (`Pool::latest` does, and says so)
 *   CLAIM_VISIBLE      a record claims the visible horizon, which is ahead of the durable one
 *   FOREIGN_FENCE      a Buffered section writes its lines back, and the flusher only fences
 *   FORGET_WAITING     an Immediate section settles what waits without writing it back
 *   RETRY              the medium forgets that a fence failed
 *   NO_TURN            SEVERAL, and a commit does not wait for the tickets before it
 * and each of the three changes for SEVERAL left out, so that threads wait for ever. As built one section runs at a
 * time, and none of it can happen:
 *   LOCK_FIRST         a Buffered section awaits its turn under the buffer's lock, as built
 *   KEEP_LOCK          an Immediate section awaits its turn under the buffer's lock, as built
 *   FAIL_SILENTLY      a flusher whose fence failed tells nobody who waits for a ticket, as built */

#ifndef SECTIONS
#define SECTIONS 2
#endif
#define TICKETS (2 * SECTIONS)
#define NODE(t) (2 * (t) - 2)
#define RECORD(t) (2 * (t) - 1)
#define BIT(line) (1 << (line))
#define LINES_OF(t) (BIT(NODE(t)) | BIT(RECORD(t)))
#define FLUSHER 2
#define NOBODY 255
#ifdef READ_VISIBLE
#define HORIZON visible
#else
#define HORIZON durable
#endif

#if defined(LOCK_FIRST) || defined(KEEP_LOCK) || defined(FAIL_SILENTLY) || defined(NO_TURN)
#define SEVERAL
#endif

/* Lines, a bit each: stored, durable for certain, and written back by a thread that has not fenced yet. */
short stored;
short certain;
/* What a failed fence was to cover: the kernel calls it clean, and no later write-back does anything for it. */
short gone;
short under_way[3];

/* The clock. */
byte next;
byte visible;
byte durable;
byte failed = NOBODY;

/* The buffer: tickets whose lines wait, and the newest of them. */
short waiting;
byte newest;
bool is_waiting;
bool buffer_locked;
bool writer_locked;

bool poisoned;
bool medium_failed;
bool has_failed;

short linked;
byte claim[TICKETS + 1];

/* Oracles: the last ticket acknowledged, the last horizon that a reader has read. */
byte acked;
byte seen;

hidden byte each;
hidden byte last;
hidden short kept;
hidden short unsure;
hidden byte claimed;

inline lock(which) { atomic { !which -> which = true } }

inline raise(horizon, to) {
  if
  :: horizon < to -> horizon = to
  :: else
  fi
}

#define PROVES_ITSELF(t) (kept & BIT(NODE(t)))

/* Recovery, on a medium that kept these lines. */
inline replay() {
  claimed = 0;
  for (each : 1 .. TICKETS) {
    if
    :: (kept & BIT(RECORD(each))) && claim[each] > claimed -> claimed = claim[each]
    :: else
    fi
  }
  last = 0;
  do
  :: last < TICKETS && (kept & BIT(RECORD(last + 1))) && (last + 1 <= claimed || PROVES_ITSELF(last + 1)) ->
    last++;
    assert(PROVES_ITSELF(last)) /* what is believed is whole */
  :: else -> break
  od;
  assert(last >= claimed); /* nothing that was said to be durable is missing */
  assert(last >= acked);   /* nothing that was acknowledged is gone */
  assert(last >= seen);    /* nothing that a snapshot has shown is gone */
  each = 0
}

/* If the power goes now, the medium has what is certain, and any subset of the rest. */
inline judge() {
  unsure = stored & ~certain;
  kept = unsure;
  do
  :: kept = kept | certain;
    replay();
    if
    :: (kept & unsure) == 0 -> break
    :: else -> kept = ((kept & unsure) - 1) & unsure
    fi
  od;
  kept = 0
}

/* `ok` tells whether the fence returned without an error. */
inline fence(me) {
  if
  :: d_step { !medium_failed -> certain = certain | under_way[me]; under_way[me] = 0; ok = true }
  :: d_step { medium_failed -> under_way[me] = 0; ok = false; poisoned = true }
  :: d_step {
      !has_failed ->
      has_failed = true;
#ifndef RETRY
      medium_failed = true;
#endif
      gone = gone | (under_way[me] & ~certain);
      under_way[me] = 0;
      ok = false;
      poisoned = true
    }
  fi
}

#define WRITE_BACK(me, lines) under_way[me] = under_way[me] | ((lines) & ~gone)

/* Moves both horizons, the visible one first. */
inline advance(t) {
  d_step { raise(visible, t) };
  d_step { raise(durable, t) }
}

inline settle() {
  if
  :: newest != 0 && failed > newest -> advance(newest)
  :: newest != 0 && failed <= newest -> ok = false
  :: else
  fi;
  d_step { newest = 0; waiting = 0; is_waiting = false }
}

inline fail(t) {
  d_step {
    if
    :: t < failed -> failed = t
    :: else
    fi
  }
}

/* Waits until every ticket before `t` is within the horizon, or one of them, or `t`, has failed. */
inline await_turn(horizon, t) {
  atomic {
    if
    :: horizon >= t - 1 -> ok = true
    :: failed <= t -> ok = false
    fi
  }
}

inline complete(t) {
#ifndef NO_TURN
  await_turn(durable, t);
#endif
  if
  :: ok -> advance(t)
  :: else
  fi
}

inline unlock_buffer() {
  d_step {
    if
    :: held -> buffer_locked = false; held = false
    :: else
    fi
  }
}

inline immediate(me, t) {
#ifdef STAMP_EARLY
  linked = linked | BIT(t);
  advance(t);
#endif
  WRITE_BACK(me, LINES_OF(t));
  if
  :: is_waiting ->
    atomic {
      !buffer_locked ->
      buffer_locked = true;
      held = true;
#ifndef FORGET_WAITING
      WRITE_BACK(me, waiting)
#endif
    }
  :: !is_waiting
  fi;
  /* The fence that makes the section true. */
  fence(me);
  if
  :: ok ->
    linked = linked | BIT(t);
    if
    :: held -> settle()
    :: else
    fi;
#if defined(SEVERAL) && !defined(KEEP_LOCK)
    unlock_buffer();
#endif
    if
    :: ok -> complete(t)
    :: else
    fi
  :: else
  fi;
  unlock_buffer();
  if
  :: ok -> d_step { assert(durable >= t); raise(acked, t); judge() }
  :: else -> fail(t)
  fi
}

inline buffered(me, t) {
  d_step {
    ok = true;
    linked = linked | BIT(t);
#ifdef FOREIGN_FENCE
    WRITE_BACK(me, LINES_OF(t))
#endif
  };
#if defined(SEVERAL) && !defined(LOCK_FIRST)
  await_turn(visible, t);
#endif
  if
  :: ok ->
    atomic {
      !buffer_locked ->
      buffer_locked = true;
      waiting = waiting | LINES_OF(t);
      newest = t;
      is_waiting = true
    };
    await_turn(visible, t);
    d_step {
      if
      :: ok -> raise(visible, t)
      :: else
      fi;
      buffer_locked = false
    }
  :: else
  fi;
  if
  :: ok
  :: else -> fail(t)
  fi
}

proctype Writer(byte me) {
  byte t;
  byte done;
  bool ok;
  bool held;
  do
  :: done < SECTIONS && !poisoned ->
#ifndef SEVERAL
    lock(writer_locked);
#endif
    d_step { next++; t = next };
#ifdef CLAIM_VISIBLE
    claim[t] = visible;
#else
    claim[t] = durable;
#endif
    /* Nothing tells the node's store from the record's: neither is certain before the fence. */
    d_step { stored = stored | LINES_OF(t); judge() };
    if
    :: immediate(me, t)
    :: buffered(me, t)
    fi;
    d_step {
#ifndef SEVERAL
      writer_locked = false;
#endif
      done++;
      ok = false;
      t = 0
    }
  :: else -> break
  od
}

active proctype Flusher() {
  bool ok;
end:
  do
  :: is_waiting ->
    lock(buffer_locked);
    if
    :: newest != 0 ->
#ifndef FOREIGN_FENCE
      WRITE_BACK(FLUSHER, waiting);
#endif
      fence(FLUSHER);
      if
      :: ok -> settle()
      :: else ->
#if defined(SEVERAL) && !defined(FAIL_SILENTLY)
        /* Whoever waits for what cannot become durable any more is told so. */
        fail(durable + 1);
#endif
        buffer_locked = false;
        break
      fi
    :: else
    fi;
    d_step { buffer_locked = false; ok = false }
  od
}

/* `find` of section/versions.rs. A version is there before its horizon is, so when it is looked for does not matter. */
active proctype Reader() {
  byte at;
end:
  do
  :: d_step {
      HORIZON > seen ->
      at = HORIZON;
      for (each : 1 .. TICKETS) {
        /* Every version up to the horizon can be found. */
        assert(each > at || (linked & BIT(each)))
      };
      seen = at;
      at = 0;
      judge()
    }
  od
}

init {
  atomic {
    run Writer(0);
    run Writer(1)
  }
}
