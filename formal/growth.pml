/* Growth: space, then the recorded length, then use; superblocks in turn; crash, reopen and grow again.
 *
 * MODELLED. A pool of length 1 grows to LENGTH_MAX, a unit at a time. A growth allocates space, durably (it may be
 * refused for want of space, and leave some), then writes the superblock with the new length to the slot that does not
 * count, writes it back, fences, and only then uses the new unit: a section makes a node there and commits with a
 * record and a fence. At any moment the power goes or the process is killed, CRASHES times in all; the pool is judged
 * and opened again each time, and the growth goes on.
 *
 * ABSTRACTED AWAY. A superblock is one line with one hash; each written one has an identity, with its sequence number
 * and length as ghosts. Space is one word, the file's length in units; allocation syncs it. A section is one node, in
 * the newest unit, and one record, which is believed if its node is whole (commit.pml); what recovery believed it makes
 * durable (recovery.pml). The reservation is never reached.
 *
 * CODE. `grow` is `PoolFile::grow` and `replace_superblock` of pmem-runtime/src/pool/file.rs, called by
 * commit/writer.rs; `judge` is `choose` and `compare_lengths` of pool/judge.rs; `reopen` is `make_durable` of
 * store/recovering.rs and `PoolFile::write_back_front` of pool/session.rs.
 *
 * LAWS. 2: no acknowledged section is lost to a growth. 8, for files that a crash left: a superblock is found; the file
 * is at least as long as it says (else `Truncated`); behind the recorded length there are zeros (else
 * `LargerThanRecorded`); the version found lies within it.
 *
 * TWINS that must fail:
 *   LENGTH_FIRST      the length is recorded before the space is allocated
 *   NO_ALLOCATE_SYNC  the space is allocated, and not durable
 *   USE_FIRST         the new unit is used before the length is recorded
 *   NO_LENGTH_FENCE   the superblock is written back, and used without a fence
 *   SAME_SLOT         the superblock that counts is overwritten
 *   NO_FRONT          opening does not make durable the superblocks that it read */

#ifndef CRASHES
#define CRASHES 3
#endif
#define LENGTH_MAX 4
#define SUPERBLOCK(s) (s)
#define SPACE 2
#define NODE(unit) (2 + (unit))
#define RECORD(unit) (2 + LENGTH_MAX - 1 + (unit))
#define LINES (2 * LENGTH_MAX + 1)
#define WORD(line) ((line) == SPACE)
#define IDENTITIES 13
#define MAY_CRASH \
  if \
  :: crashes < CRASHES -> goto crash \
  :: skip \
  fi

#include "medium.inc"

/* Ghosts: what the superblock of an identity says. */
byte sequence[IDENTITIES + 1];
byte recorded[IDENTITIES + 1];
byte identities = 2;

/* In DRAM: which superblock counts, how long the pool is, the newest version (the unit of its node). */
byte slot;
byte length = 1;
byte version;

byte acked;
byte crashes;
hidden byte at;

inline write_superblock(new_length) {
  d_step {
    identities++;
    sequence[identities] = sequence[now[SUPERBLOCK(slot)]] + 1;
    recorded[identities] = new_length;
#ifndef SAME_SLOT
    slot = 1 - slot;
#endif
  };
  store_long(SUPERBLOCK(slot), identities);
  write_back(SUPERBLOCK(slot));
  MAY_CRASH;
#ifndef NO_LENGTH_FENCE
  /* The new length is durable before anything is stored behind the old one. */
  fence();
  MAY_CRASH;
#endif
}

inline allocate(new_length) {
  if
  :: now[SPACE] < new_length -> store(SPACE, new_length)
  :: else
  fi;
  MAY_CRASH;
#ifndef NO_ALLOCATE_SYNC
  write_back(SPACE);
  fence();
  MAY_CRASH;
#endif
}

inline section() {
  store_long(NODE(length - 1), length - 1);
  write_back(NODE(length - 1));
  MAY_CRASH;
  store_long(RECORD(length - 1), length - 1);
  write_back(RECORD(length - 1));
  MAY_CRASH;
  fence();
  version = length - 1;
  acked = version;
  MAY_CRASH
}

inline grow() {
#ifdef LENGTH_FIRST
  write_superblock(length + 1);
  allocate(length + 1);
  length++
#else
  allocate(length + 1);
#ifdef USE_FIRST
  length++;
  section();
  write_superblock(length)
#else
  write_superblock(length + 1);
  length++
#endif
#endif
}

/* Stores to a line behind the file's end are gone with the space. */
inline cut_file() {
  for (at : 1 .. LENGTH_MAX - 1) {
    if
    :: at >= now[SPACE] -> now[NODE(at)] = 0; may[NODE(at)] = 1
    :: else
    fi
  }
  at = 0
}

inline judge() {
  /* A superblock is there; the newest counts. */
  assert(IS_WHOLE(now[SUPERBLOCK(0)]) || IS_WHOLE(now[SUPERBLOCK(1)]));
  if
  :: !IS_WHOLE(now[SUPERBLOCK(1)]) -> slot = 0
  :: !IS_WHOLE(now[SUPERBLOCK(0)]) -> slot = 1
  :: else -> slot = sequence[now[SUPERBLOCK(1)]] > sequence[now[SUPERBLOCK(0)]]
  fi;
  length = recorded[now[SUPERBLOCK(slot)]];
  assert(now[SPACE] >= length); /* the file is as long as it says */
  for (at : 1 .. LENGTH_MAX - 1) {
    /* Behind the recorded length there are zeros. */
    assert(at < length || now[NODE(at)] == 0)
  }
  version = 0;
  do
  :: version + 1 < LENGTH_MAX && now[RECORD(version + 1)] == version + 1 && now[NODE(version + 1)] == version + 1 -> version++
  :: else -> break
  od;
  assert(version >= acked); /* nothing that was acknowledged is gone */
  assert(version < length);    /* what was found lies within the pool */
  at = 0
}

/* What was read is made durable before anything is done on its word; the version found is then shown. */
inline reopen() {
  d_step {
#ifndef NO_FRONT
    write_back(SUPERBLOCK(0));
    write_back(SUPERBLOCK(1));
#endif
    for (at : 1 .. version) {
      write_back(NODE(at));
      write_back(RECORD(at))
    };
    at = 0
  };
  MAY_CRASH;
  fence();
  acked = version
}

active proctype Pool() {
  /* As creation leaves it: superblock A with sequence 2, B with 1. */
  d_step {
    sequence[1] = 1;
    recorded[1] = 1;
    sequence[2] = 2;
    recorded[2] = 1;
    store(SUPERBLOCK(0), 2);
    store(SUPERBLOCK(1), 1);
    store(SPACE, 1);
    write_back(SUPERBLOCK(0));
    write_back(SUPERBLOCK(1));
    write_back(SPACE);
    fence()
  };
serve:
  do
  :: version == length - 1 && length < LENGTH_MAX && identities < IDENTITIES -> grow()
  /* Refused for want of space; some is left. */
  :: version == length - 1 && length < LENGTH_MAX -> allocate(length + 1); goto crash
  :: version < length - 1 -> section()
  :: version == length - 1 && (length == LENGTH_MAX || identities == IDENTITIES) -> goto crash
  od;
crash:
  crashes++;
  if
  :: atomic { lose_power() }; d_step { cut_file() }
  :: kill_process()
  fi;
  d_step { judge() };
  if
  :: crashes <= CRASHES -> reopen(); goto serve
  :: else
  fi
}
