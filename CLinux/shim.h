#pragma once
// What Glibc's own module leaves out.
#include <fcntl.h>
#include <linux/memfd.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

/// CLOCK_MONOTONIC, which the kernel's input events are stamped with too.
static inline int64_t monotonicNanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Whether the kernel says that something keeps the wall clock right (adjtimex(2)). No where it may not be asked.
static inline bool clockIsSynchronized(void) {
    struct timex state = {.modes = 0};
    int answer = adjtimex(&state);
    return answer >= 0 && answer != TIME_ERROR;
}

/// Whether all that was printed to standard output has been written.
static inline bool standardOutputIsWritten(void) {
    bool failed = ferror(stdout) != 0;
    return fflush(stdout) == 0 && !failed;
}

/// Opens `path` for reading, within the directory that `folder` is open on: the kernel refuses whatever leads out of it, a symbolic link
/// too (openat2(2), which the C library has no function for). Never waits for the other end of a pipe. Returns -1 with `errno` set.
static inline int openBeneath(int folder, const char *path) {
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

/// Makes a file that is in memory alone, and is not passed on to other programs (memfd_create(2), which sys/mman.h keeps from whoever does
/// not ask for more than the standard). Returns -1 with `errno` set.
static inline int openInMemory(const char *name) { return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC); }

/// spawn.h keeps it from whoever does not ask for more than the standard.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
