/*
 * Counts what libpmemobj asks of libpmem: preloaded into a process of its own, so that it costs the timed runs nothing.
 * Lines are counted for each call: a line that is flushed twice counts twice, as it costs twice.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_BYTES 64
#define NODRAIN (1U << 0) /* PMEM_F_MEM_NODRAIN */
#define NOFLUSH (1U << 5) /* PMEM_F_MEM_NOFLUSH */

static uint64_t lines, fences, bytes;

void peer_counted(uint64_t out[3]) {
    out[0] = lines;
    out[1] = fences;
    out[2] = bytes;
}

static void flushed(const void *address, size_t length) {
    if (length == 0)
        return;
    uintptr_t first = (uintptr_t)address / LINE_BYTES, last = ((uintptr_t)address + length - 1) / LINE_BYTES;
    lines += last - first + 1;
    bytes += length;
}

static void copied(const void *address, size_t length, unsigned flags) {
    if ((flags & NOFLUSH) == 0)
        flushed(address, length);
    if ((flags & (NODRAIN | NOFLUSH)) == 0)
        fences++;
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (real == NULL) \
        real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

void pmem_flush(const void *address, size_t length) {
    REAL(pmem_flush);
    flushed(address, length);
    real(address, length);
}

void pmem_drain(void) {
    REAL(pmem_drain);
    fences++;
    real();
}

void pmem_persist(const void *address, size_t length) {
    REAL(pmem_persist);
    flushed(address, length);
    fences++;
    real(address, length);
}

void *pmem_memcpy(void *to, const void *from, size_t length, unsigned flags) {
    REAL(pmem_memcpy);
    copied(to, length, flags);
    return real(to, from, length, flags);
}

void *pmem_memmove(void *to, const void *from, size_t length, unsigned flags) {
    REAL(pmem_memmove);
    copied(to, length, flags);
    return real(to, from, length, flags);
}

void *pmem_memset(void *to, int byte, size_t length, unsigned flags) {
    REAL(pmem_memset);
    copied(to, length, flags);
    return real(to, byte, length, flags);
}
