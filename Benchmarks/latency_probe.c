/* From a command to its first sample at a sink's monitor, or the steadiness of stamped events.
   cc -O2 latency_probe.c -lpulse -lm
   usage: latency_probe LABEL FRAGMENT_MS TRIALS udp:PORT ON OFF          prints label, n, min, median, p95, max in ms
          latency_probe LABEL FRAGMENT_MS TRIALS unix:PATH ON OFF         the same; a newline follows each command
          latency_probe LABEL steady TRIALS unix:PATH                     spread (p95 - p5) of the delay, in frames of the
                                                                          reply, of events stamped up to 1 ms before */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <math.h>
#include <pulse/pulseaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static int order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double heard, last_loud;
static int armed;

static void recorded(pa_stream *stream, size_t bytes, void *unused) {
    double arrival = now();
    (void)unused;
    while (pa_stream_readable_size(stream) > 0) {
        const void *data;
        if (pa_stream_peek(stream, &data, &bytes) < 0 || bytes == 0) return;
        for (size_t n = 0; data && n < bytes / sizeof(float); n++) {
            if (fabsf(((const float *)data)[n]) < 0.001f) continue;
            if (armed) heard = arrival;
            armed = 0;
            last_loud = arrival;
        }
        pa_stream_drop(stream);
    }
}

static pa_mainloop *loop;

static void listen_for(double milliseconds, int until_heard) {
    double end = now() + milliseconds;
    while (now() < end && !(until_heard && !armed)) {
        pa_mainloop_prepare(loop, (int)((end - now()) * 1000) + 1);
        pa_mainloop_poll(loop);
        pa_mainloop_dispatch(loop);
    }
}

static int connect_to(const char *destination) {
    int is_unix = !strncmp(destination, "unix:", 5);
    const char *where = strchr(destination, ':') + 1;
    int channel = is_unix ? socket(AF_UNIX, SOCK_STREAM, 0) : socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(atoi(where)),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    strncpy(local.sun_path, where, sizeof local.sun_path - 1);
    int status = is_unix ? connect(channel, (void *)&local, sizeof local) : connect(channel, (void *)&port, sizeof port);
    if (status < 0) perror(destination), exit(1);
    return channel;
}

static void record(double fragment) {
    loop = pa_mainloop_new();
    pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "latency probe");
    pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL);
    while (pa_context_get_state(context) != PA_CONTEXT_READY) {
        if (!PA_CONTEXT_IS_GOOD(pa_context_get_state(context))) fprintf(stderr, "no sound server\n"), exit(1);
        pa_mainloop_iterate(loop, 1, NULL);
    }
    pa_sample_spec spec = {PA_SAMPLE_FLOAT32LE, 48000, 1};
    pa_stream *stream = pa_stream_new(context, "latency probe", &spec, NULL);
    pa_stream_set_read_callback(stream, recorded, NULL);
    pa_buffer_attr attributes = {.maxlength = -1, .tlength = -1, .prebuf = -1, .minreq = -1,
                                 .fragsize = (uint32_t)(fragment * 48) * sizeof(float)};
    pa_stream_connect_record(stream, "stage.monitor", &attributes, PA_STREAM_ADJUST_LATENCY);
}

/* Each reply says at which frame of the session its event took effect. What is left of that after the line through all
   (frame against stamp: the two clocks' offset and drift) is how unsteady the delay is. */
static void measure_steadiness(const char *label, int trials, const char *destination) {
    int channel = connect_to(destination);
    double *stamps = malloc(trials * sizeof *stamps), *frames = malloc(trials * sizeof *frames);
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int n = -60; n < trials; n++) {
        char text[300];
        usleep(40000 + rand() % 60000);
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        long long stamp = time.tv_sec * 1000000000LL + time.tv_nsec;
        usleep(rand() % 1000);
        int size = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tone\",\"params\":"
                            "{\"on\":%s,\"at\":%lld}}\n", n & 1 ? "true" : "false", stamp);
        if (write(channel, text, size) != size) exit(1);
        ssize_t got = read(channel, text, sizeof text - 1);
        text[got > 0 ? got : 0] = 0;
        char *frame = strstr(text, "\"frame\":");
        if (n < 0 || !frame) continue;
        stamps[n] = stamp * 1e-6;
        frames[n] = atof(frame + 8) / 48;
    }
    for (int n = trials - 1; n >= 0; n--) stamps[n] -= stamps[0], frames[n] -= frames[0];
    for (int n = 0; n < trials; n++) {
        sx += stamps[n], sy += frames[n], sxx += stamps[n] * stamps[n], sxy += stamps[n] * frames[n];
    }
    double slope = (trials * sxy - sx * sy) / (trials * sxx - sx * sx), offset = (sy - slope * sx) / trials;
    for (int n = 0; n < trials; n++) frames[n] -= offset + slope * stamps[n];
    qsort(frames, trials, sizeof *frames, order);
    printf("%-34s %3d  spread (p95 - p5) %.2f ms\n", label, trials, frames[trials * 95 / 100] - frames[trials * 5 / 100]);
}

int main(int count, char **words) {
    if (count < 5) return 2;
    int trials = atoi(words[3]), found = 0;
    if (!strcmp(words[2], "steady")) return measure_steadiness(words[1], trials, words[4]), 0;
    if (count < 7) return 2;
    record(atof(words[2]));
    int channel = connect_to(words[4]);
    char on[300], off[300];
    const char *end = !strncmp(words[4], "unix:", 5) ? "\n" : "";
    snprintf(on, sizeof on, "%s%s", words[5], end);
    snprintf(off, sizeof off, "%s%s", words[6], end);
    double *delays = malloc(trials * sizeof *delays);
    if (write(channel, off, strlen(off)) < 0) return 1;
    listen_for(2500, 0);
    for (int n = -3; n < trials; n++) {
        while (now() - last_loud < 120) listen_for(20, 0);
        listen_for(80 + rand() % 100, 0);
        armed = 1;
        double sent = now();
        if (write(channel, on, strlen(on)) < 0) return 1;
        listen_for(1500, 1);
        if (!armed && n >= 0) delays[found++] = heard - sent;
        armed = 0;
        listen_for(100, 0);
        if (write(channel, off, strlen(off)) < 0) return 1;
    }
    if (found == 0) return printf("%-34s nothing heard\n", words[1]), 1;
    qsort(delays, found, sizeof *delays, order);
    printf("%-34s %3d  min %5.2f  median %5.2f  p95 %5.2f  max %5.2f ms\n", words[1], found, delays[0], delays[found / 2],
           delays[found * 95 / 100], delays[found - 1]);
    return 0;
}
