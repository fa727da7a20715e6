/* Runs commands in turn, ROUNDS times, and prints for each the median and smallest wall time, its median as a multiple of
   the first command's, the median of its processor time, and its peak memory. Usage: measure ROUNDS NAME command... -- NAME command... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most_commands = 16, most_rounds = 99 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int rounds = argc > 2 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > most_rounds) {
        fprintf(stderr, "usage: measure ROUNDS NAME command... -- NAME command...\n");
        return 64;
    }
    char **commands[most_commands];
    int count = 0;
    for (int n = 2; n < argc && count < most_commands; n++) {
        commands[count++] = argv + n;
        while (n < argc && strcmp(argv[n], "--") != 0) n++;
        if (n < argc) argv[n] = NULL;
    }
    static double times[most_commands][most_rounds], busy[most_commands][most_rounds];
    long peak[most_commands] = {0};
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < count; k++) {
            double start = now();
            pid_t child = fork();
            if (child == 0) {
                freopen("/dev/null", "w", stdout);
                freopen("/dev/null", "w", stderr);
                execvp(commands[k][1], commands[k] + 1);
                _exit(127);
            }
            int status;
            struct rusage usage;
            wait4(child, &status, 0, &usage);
            times[k][round] = now() - start;
            busy[k][round] = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3
                             + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
            if (usage.ru_maxrss > peak[k]) peak[k] = usage.ru_maxrss;
            if (status != 0) {
                fprintf(stderr, "%s failed\n", commands[k][0]);
                return 1;
            }
        }
    }
    double first = 0;
    for (int k = 0; k < count; k++) {
        qsort(times[k], rounds, sizeof(double), by_size);
        qsort(busy[k], rounds, sizeof(double), by_size);
        double median = times[k][rounds / 2];
        if (k == 0) first = median;
        printf("%-26s %9.1f ms  (least %9.1f)  x %6.2f  cpu %9.1f ms  peak %6.1f MiB\n", commands[k][0], median, times[k][0],
               median / first, busy[k][rounds / 2], peak[k] / 1024.0);
    }
    return 0;
}
