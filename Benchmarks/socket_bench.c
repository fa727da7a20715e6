// Round trips and throughput over a Unix socket, of a server that answers a line for a line: an echo server in C, which this program
// starts itself, or thrumd.
//
//   socket_bench echo              the yardstick
//   socket_bench PATH LABEL        thrumd's control socket
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20000, EVENTS = 50000 };

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void write_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0) die("write");
        bytes += written;
        count -= (size_t)written;
    }
}

// Reads up to a newline; there is never more than one answer under way.
static size_t read_line(int fd, char *line, size_t room) {
    size_t count = 0;
    do {
        ssize_t got = read(fd, line + count, room - count);
        if (got <= 0) die("read");
        count += (size_t)got;
    } while (line[count - 1] != '\n');
    return count;
}

static void echo(int fd) {
    char line[65536];
    ssize_t got;
    while ((got = read(fd, line, sizeof line)) > 0) write_all(fd, line, (size_t)got);
    exit(0);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: socket_bench echo | PATH LABEL\n"), 2;
    const char *label = argc > 2 ? argv[2] : "echo server, C";
    int is_echo = strcmp(argv[1], "echo") == 0, fd;
    if (is_echo) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) die("socketpair");
        if (fork() == 0) echo((close(ends[0]), ends[1]));
        close(ends[1]);
        fd = ends[0];
    } else {
        struct sockaddr_un address = {.sun_family = AF_UNIX};
        strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
        fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) die(argv[1]);
    }
    const char *ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    static double times[ROUNDS];
    char line[65536];
    for (int round = -1000; round < ROUNDS; round++) {
        double start = now_us();
        write_all(fd, ping, strlen(ping));
        read_line(fd, line, sizeof line);
        if (round >= 0) times[round] = now_us() - start;
    }
    qsort(times, ROUNDS, sizeof times[0], by_value);
    printf("%-24s round trip of a ping  p50 %7.1f  p99 %7.1f  max %8.1f us\n", label, times[ROUNDS / 2], times[ROUNDS / 100 * 99],
           times[ROUNDS - 1]);
    if (is_echo) return 0;

    // A tone sounds; every finger's move is an event that the journal has.
    const char *began = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"touch\",\"params\":{\"phase\":\"began\"}}\n";
    const char *moved = "{\"jsonrpc\":\"2.0\",\"method\":\"touch\",\"params\":{\"phase\":\"moved\",\"x\":0.5,\"y\":0.25}}\n";
    write_all(fd, began, strlen(began));
    read_line(fd, line, sizeof line);
    double start = now_us();
    for (int event = 0; event < EVENTS; event++) write_all(fd, moved, strlen(moved));
    write_all(fd, ping, strlen(ping));
    read_line(fd, line, sizeof line);
    double seconds = (now_us() - start) / 1e6;
    printf("%-24s %d notifications in %.2f s: %.0f a second\n", label, EVENTS, seconds, EVENTS / seconds);
    return 0;
}
