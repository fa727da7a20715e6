/* The thinnest front end there is for ColorScroller: it draws nothing, swipes, and prints what the engine tells it.
 *
 *     thrumd --experience colorscroller &
 *     cc -o out/colorscroller examples/colorscroller.c && out/colorscroller [SOCKET] [SWIPES]
 *
 * It outlives restarts of thrumd. POSIX only. A program that draws would read JSON with a library; here the few fields that are printed are searched
 * for. The steps are explained in docs/front-end.md. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int engine = -1;
/* The connection has ended, or is about to. */
static int is_gone;
static char received[1 << 20];
static size_t length;
/* The last request that was answered. */
static long answered;
/* Announcements were missed, because we did not read for a while. */
static int is_stale;
/* When the feed moves again, in ms of CLOCK_MONOTONIC. */
static long paused_until;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void fail(const char *reason) {
    fprintf(stderr, "%s\n", reason);
    exit(1);
}

/* One message is one line. */
static void tell(const char *line) {
    for (size_t left = strlen(line); left > 0 && !is_gone;) {
        ssize_t count = send(engine, line, left, MSG_NOSIGNAL);
        if (count < 0) {
            is_gone = 1;
            return;
        }
        line += count;
        left -= (size_t)count;
    }
}

/* The text of a field, the first one of that name; empty if there is none. */
static const char *text(const char *line, const char *name, char *value, size_t size) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *start = strstr(line, key);
    if (!start) return "";
    start += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(start, "\""), start);
    return value;
}

static void hear(const char *line) {
    char name[128], rarity[32];
    const char *id = strstr(line, "\"id\":");
    if (strstr(line, "\"reason\":\"shutting-down\"")) {
        is_gone = 1;
        return;
    }
    if (strstr(line, "\"error\"")) fail(line);
    if (strstr(line, "\"method\":\"unlock\"")) {
        printf("unlocked %s (%s)\n", text(line, "name", name, sizeof name), text(line, "rarity", rarity, sizeof rarity));
        paused_until = now() + 850;
    } else if (strstr(line, "\"method\":\"toast\"")) {
        printf("toast: %s %s\n", text(line, "rarity", rarity, sizeof rarity), text(line, "name", name, sizeof name));
    } else if (strstr(line, "\"method\":\"missed\"")) {
        const char *count = strstr(line, "\"count\":");
        printf("missed %ld announcements\n", count ? strtol(count + 8, NULL, 10) : 0);
        is_stale = 1;
    } else if (strstr(line, "\"result\":{\"blocksViewed\"")) {
        printf("state: %s\n", line);
    }
    /* A skin has an id, too, but a text. */
    if (id && strtol(id + 5, NULL, 10) > 0) answered = strtol(id + 5, NULL, 10);
    fflush(stdout);
}

/* Prints what is announced for so many ms, and longer while the feed stands still. */
static void listen_for(long milliseconds) {
    for (long end = now() + milliseconds; !is_gone && (now() < end || now() < paused_until);) {
        struct pollfd waiting = {.fd = engine, .events = POLLIN};
        long until = paused_until > end ? paused_until : end, left = until - now();
        if (poll(&waiting, 1, left > 0 ? (int)left : 0) <= 0) continue;
        ssize_t count = read(engine, received + length, sizeof received - length - 1);
        if (count <= 0) {
            is_gone = 1;
            return;
        }
        length += (size_t)count;
        received[length] = 0;
        char *line = received;
        for (char *end_of_line; (end_of_line = strchr(line, '\n')); line = end_of_line + 1) {
            *end_of_line = 0;
            hear(line);
        }
        length -= (size_t)(line - received);
        memmove(received, line, length);
    }
}

/* A request, and its answer. The answer comes after what the request has led to: then it is known whether the feed stands still. */
static void ask(const char *method, const char *params) {
    static long id;
    char line[256];
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"%s\",\"params\":%s}\n", ++id, method, params);
    tell(line);
    for (long limit = now() + 5000; answered < id && !is_gone; listen_for(1))
        if (now() > limit) fail("thrumd does not answer");
}

/* Connects, says who we are, and what we want to be told. Returns whether that worked. */
static int begin(void) {
    if (engine >= 0) close(engine);
    engine = socket(AF_UNIX, SOCK_STREAM, 0);
    is_gone = engine < 0 || connect(engine, (struct sockaddr *)&address, sizeof address) < 0;
    length = 0;
    paused_until = 0;
    ask("hello", "{\"client\":\"colorscroller.c\",\"gestures\":true}");
    ask("subscribe", "{\"topics\":[\"unlock\",\"toast\"]}");
    return !is_gone;
}

/* thrumd restarts: nothing is held any more, and the feed begins anew. */
static void begin_again(void) {
    printf("thrumd is gone: waiting for it\n");
    fflush(stdout);
    do poll(NULL, 0, 250);
    while (!begin());
    printf("connected again\n");
}

int main(int count, char **words) {
    const char *folder = getenv("XDG_RUNTIME_DIR"), *named = count > 1 ? words[1] : getenv("THRUM_SOCKET");
    if (named && *named) snprintf(address.sun_path, sizeof address.sun_path, "%s", named);
    else snprintf(address.sun_path, sizeof address.sun_path, "%s/thrum/control.sock", folder ? folder : "/run");
    if (!begin()) fail("thrumd does not listen");
    for (int swipe = 0; swipe < (count > 2 ? atoi(words[2]) : 40); swipe++) {
        /* Without an id: a notification, which nobody answers. */
        tell("{\"jsonrpc\":\"2.0\",\"method\":\"touch\",\"params\":{\"phase\":\"began\",\"x\":0.5,\"y\":0.8}}\n");
        listen_for(50);
        tell("{\"jsonrpc\":\"2.0\",\"method\":\"touch\",\"params\":{\"phase\":\"ended\"}}\n");
        ask("swipe", "{\"direction\":\"up\",\"velocity\":2}");
        listen_for(50);
        /* Who draws draws everything anew now. */
        if (is_stale) ask("feed.state", "{}");
        is_stale = 0;
        if (is_gone) begin_again();
    }
    ask("feed.state", "{}");
    return 0;
}
