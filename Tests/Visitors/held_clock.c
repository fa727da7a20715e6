// The clocks of a thrumd that is tried for hours of its time in seconds of ours. It is loaded into the program as it was built
// (`LD_PRELOAD`), which knows nothing of it. scripts/try-visitors compiles it.
//
// Time stands still until the trial moves it: it writes a target into a file that both have mapped, and then sends any request, which
// wakes the event loop. Before the loop would sleep, time goes on to the loop's next timer or to the target, whichever comes first. So each
// timer fires at its very moment and in its order, however busy this machine is. When the target is reached and nothing is left to do, the
// loop writes a byte to the trial.
//
// Only the event loop's timers follow this time. What other threads do, such as writing to a disk, takes as long as it takes, so before
// each step time stands still until they all sleep: no disk is slow by this clock.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)

// What both sides see, in nanoseconds of the monotonic clock. `wall` is what the wall clock is ahead of it.
struct Shared {
    _Atomic int64_t now, target;
    int64_t wall;
};

static struct Shared *shared;
static int64_t first;
static int trial = -1;
static int (*next_epoll_wait)(int, struct epoll_event *, int, int);
static int (*next_timerfd_settime)(int, int, const struct itimerspec *, struct itimerspec *);
static int (*next_clock_gettime)(clockid_t, struct timespec *);

// Of the event loop, on its thread alone: without HTTP thrumd has one.
static _Thread_local int is_loop = -1;
static _Thread_local int timer = -1;
static _Thread_local int64_t deadline = INT64_MAX;
static _Thread_local int64_t told;

__attribute__((constructor)) static void begin(void) {
    next_epoll_wait = dlsym(RTLD_NEXT, "epoll_wait");
    next_timerfd_settime = dlsym(RTLD_NEXT, "timerfd_settime");
    next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("HELD_CLOCK"), *pipe = getenv("HELD_CLOCK_PIPE");
    if (!path || !pipe) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(struct Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) abort();
    close(file);
    trial = atoi(pipe);
    shared = memory;
    first = atomic_load(&shared->target);
    unsetenv("LD_PRELOAD");
    // It ends with the trial, however that ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int on_loop(void) {
    if (!shared) return 0;
    if (is_loop < 0) {
        char name[16] = "";
        pthread_getname_np(pthread_self(), name, sizeof name);
        is_loop = strncmp(name, "NIO-ELT-", 8) == 0;
    }
    return is_loop;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!next_clock_gettime) next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    int64_t now;
    switch (shared ? clock : -1) {
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME:
        now = atomic_load(&shared->now);
        break;
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE:
        now = atomic_load(&shared->now) + shared->wall;
        break;
    default: return next_clock_gettime(clock, time);
    }
    *time = (struct timespec){now / SECOND, now % SECOND};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *old) {
    if (!on_loop() || flags != 0) return next_timerfd_settime(file, flags, value, old);
    timer = file;
    deadline = atomic_load(&shared->now) + value->it_value.tv_sec * SECOND + value->it_value.tv_nsec;
    return 0;
}

// Whether every other thread of this process sleeps.
static int others_sleep(void) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) abort();
    int asleep = 1;
    long self = syscall(SYS_gettid);
    for (struct dirent *entry; asleep && (entry = readdir(threads));) {
        if (entry->d_name[0] == '.' || atol(entry->d_name) == self) continue;
        char path[64], line[512];
        snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", entry->d_name);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue; // It has ended.
        ssize_t length = read(file, line, sizeof line - 1);
        close(file);
        line[length > 0 ? length : 0] = 0;
        // The state follows the name, which stands in parentheses.
        char *name = strrchr(line, ')');
        asleep = !name || name[2] == 'S';
    }
    closedir(threads);
    return asleep;
}

int epoll_wait(int file, struct epoll_event *events, int count, int timeout) {
    if (!on_loop() || timeout == 0) return next_epoll_wait(file, events, count, timeout);
    int ready = next_epoll_wait(file, events, count, 0);
    if (ready != 0) return ready;
    int64_t now = atomic_load(&shared->now), target = atomic_load(&shared->target);
    int64_t next = deadline < target ? deadline : target;
    if (next > now) {
        while (!others_sleep()) {
            usleep(20);
            if ((ready = next_epoll_wait(file, events, count, 0)) != 0) return ready;
        }
        if ((ready = next_epoll_wait(file, events, count, 0)) != 0) return ready;
    }
    if (deadline <= now || deadline <= target) {
        if (deadline > now) atomic_store(&shared->now, deadline);
        deadline = INT64_MAX;
        struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
        next_timerfd_settime(timer, 0, &soon, NULL);
        return next_epoll_wait(file, events, count, -1);
    }
    if (now < target) atomic_store(&shared->now, target);
    if (told < target && target > first) {
        told = target;
        if (write(trial, "", 1) != 1) abort();
    }
    return next_epoll_wait(file, events, count, -1);
}
