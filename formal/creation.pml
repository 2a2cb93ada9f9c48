/* Creation: contents before superblocks before magic before name; on a device, which has no name, the magic tells.
 *
 * MODELLED. A creation stores the contents (header, schema, first root, its record, its checkpoint: two lines here),
 * fences, stores both superblocks without their magic, fences, stores both magics, fences; a file is then synced,
 * named, and its directory synced. At any moment the power goes or the process is killed; whatever is found then is
 * judged, and, where nothing is found, the creation is tried again, up to ATTEMPTS times, over what the last one left
 * (on a device) or in a new file. FILE and DEVICE are two compilations of the same model; what holds is checked for
 * both.
 *
 * ABSTRACTED AWAY. The superblock's body is one line with one hash, and so are the contents; they name the attempt that
 * wrote them, as the pool's random identity does (records and checkpoints of another attempt are salted with another).
 * The magic is one word of eight bytes. The directory's entry is a word of its own that the file system may write
 * before or after anything else. That space was allocated: growth.pml.
 *
 * CODE. pmem-runtime/src/pool/create.rs (`Draft::create`, `create_on_device`, `write_superblocks`,
 * `Unpublished::publish`), store/open.rs (`create`: the first root is committed and checkpointed before `publish`),
 * pool/publish.rs (`Place::publish`), pool/judge.rs (`choose`, `refuse`).
 *
 * LAWS. 2 for the first version: creation returned means that a whole pool is found; creation interrupted means a whole
 * pool or nothing (a file without a name; a device on which both magics are zero). 8: never a pool with a part missing.
 *
 * VARIANTS that hold:
 *   DEVICE              the same on a device
 *   NO_CONTENTS_FENCE   the first of the three fences left out: the second covers the contents too (DEVICE)
 *   USED_AFTER_KILL     the process is killed between the name and the sync of the directory; another opens the file and
 *                       commits; the power goes, on a file system that does not write the name with the file's own sync
 * TWINS that must fail:
 *   NO_BODY_FENCE       magics are stored before the superblocks and the contents are durable (DEVICE)
 *   MAGIC_FIRST         superblocks are stored with their magic (DEVICE)
 *   NO_MAGIC_FENCE      acknowledged, and named, without a fence after the magic
 *   NAME_FIRST          the file has its name from the beginning
 *   NAME_BEFORE_FENCES  the file gets its name when it is filled, before the fences
 *   NO_DIRECTORY_SYNC   acknowledged without a sync of the directory
 *   NO_FRONT            opening does not make durable what a killed creation left in caches (DEVICE)
 *   USED_AFTER_KILL NO_SYNC_AT_OPEN  the same, and opening does not sync the directory (`sync_name`): the name is lost */

#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif
#define CONTENTS 0
#define MORE_CONTENTS 1
#define BODY(s) (2 + (s))
#define MAGIC(s) (4 + (s))
#define NAME 6
#define LINES 7
#define WORD(line) ((line) >= 4)
#define MAY_CRASH \
  if \
  :: skip \
  :: goto crash \
  fi

#include "medium.inc"

byte attempt;
bool acked;
hidden byte chosen;

inline give_name() {
#ifndef DEVICE
  store(NAME, 1);
  MAY_CRASH;
#ifndef NO_DIRECTORY_SYNC
  write_back(NAME);
  fence();
  MAY_CRASH;
#endif
#else
  skip
#endif
}

inline put(line, x) {
  store_long(line, x);
  write_back(line);
  MAY_CRASH
}

inline put_word(line, x) {
  store(line, x);
  write_back(line);
  MAY_CRASH
}

inline create() {
#ifdef NAME_FIRST
  give_name();
#endif
  put(CONTENTS, attempt);
  put(MORE_CONTENTS, attempt);
#ifdef NAME_BEFORE_FENCES
  give_name();
#endif
#ifndef NO_CONTENTS_FENCE
  /* Everything in the pool is durable before a superblock can be found. */
  fence();
#endif
#ifdef MAGIC_FIRST
  put_word(MAGIC(0), 1);
  put_word(MAGIC(1), 1);
#endif
  put(BODY(0), attempt);
  put(BODY(1), attempt);
#ifndef NO_BODY_FENCE
  /* The superblocks are whole before their magic can be found. */
  fence();
#endif
#ifndef MAGIC_FIRST
  put_word(MAGIC(0), 1);
  put_word(MAGIC(1), 1);
#endif
#ifndef NO_MAGIC_FENCE
  /* The pool exists from here on; the name follows. */
  fence();
#endif
#ifndef NAME_FIRST
#ifndef NAME_BEFORE_FENCES
  give_name();
#endif
#endif
  acked = true
}

#define IS_POOL(s) (now[MAGIC(s)] == 1 && IS_WHOLE(now[BODY(s)]))
#define HAS_CONTENTS(x) (now[CONTENTS] == (x) && now[MORE_CONTENTS] == (x))

#ifdef DEVICE
#define IS_NOTHING (now[MAGIC(0)] == 0 && now[MAGIC(1)] == 0)
#else
#define IS_NOTHING (now[NAME] == 0)
#endif

inline judge() {
  if
  :: IS_NOTHING -> assert(!acked) /* what was created is there */
  :: else ->
    /* A name, or a magic, is of a pool that can be opened. */
    assert(IS_POOL(0) || IS_POOL(1));
    if
    :: IS_POOL(0) -> chosen = now[BODY(0)]
    :: else -> chosen = now[BODY(1)]
    fi;
    assert(HAS_CONTENTS(chosen));
    chosen = 0
  fi
}

/* A file without a name is gone with the process that made it; the next attempt has a new one. */
inline forget_file() {
#ifndef DEVICE
  d_step {
    for (each : 0 .. LINES - 1) { now[each] = 0; may[each] = 1; covered[each] = 0 }
    each = 0
  }
#else
  skip
#endif
}

/* What opening does: the superblocks that it has read are made durable before anything is done on their word. */
inline open_and_use() {
#ifndef NO_FRONT
  write_back(BODY(0));
  write_back(BODY(1));
  write_back(MAGIC(0));
  write_back(MAGIC(1));
#endif
#ifndef NO_SYNC_AT_OPEN
  write_back(NAME);
#endif
  fence();
#if defined(DEVICE) || defined(USED_AFTER_KILL)
  acked = true
#endif
}

active proctype Creator() {
again:
  attempt++;
  create();
  goto crash;
crash:
  if
  :: atomic { lose_power() }
  :: kill_process()
  fi;
  d_step { judge() };
  if
  :: IS_NOTHING && attempt < ATTEMPTS -> forget_file(); goto again
  :: IS_NOTHING && attempt == ATTEMPTS
  :: else ->
    open_and_use();
    atomic { lose_power() };
    d_step { judge() }
  fi
}
