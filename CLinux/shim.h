#pragma once
// What Glibc's own module leaves out.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>

/// CLOCK_MONOTONIC, which the kernel's input events are stamped with too.
static inline int64_t monotonicNanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Whether all that was printed to standard output has been written.
static inline bool standardOutputIsWritten(void) {
    bool failed = ferror(stdout) != 0;
    return fflush(stdout) == 0 && !failed;
}
