/* The ordinary way to be quick: a PulseAudio stream with a small buffer, whose callback writes tone or silence.
   cc -O2 short_buffer.c -lpulse -lm
   usage: short_buffer BUFFER_MS UDP_PORT        a datagram "1" opens the tone, "0" closes it */
#include <arpa/inet.h>
#include <math.h>
#include <pulse/pulseaudio.h>
#include <stdlib.h>
#include <string.h>

static float level, target;
static double phase;

static void render(float *out, size_t frames) {
    for (size_t n = 0; n < frames; n++) {
        /* 5 ms from one to the other. */
        if (level < target) level = fminf(target, level + 0.5f / 240);
        if (level > target) level = fmaxf(target, level - 0.5f / 240);
        out[n] = level * sinf((float)(phase * 2 * M_PI));
        phase += 1000.0 / 48000;
        phase -= floor(phase);
    }
}

static void asked(pa_stream *stream, size_t bytes, void *unused) {
    (void)unused;
    while (bytes > 0) {
        void *memory;
        size_t size = bytes;
        if (pa_stream_begin_write(stream, &memory, &size) < 0 || size == 0) return;
        if (size > bytes) size = bytes;
        render(memory, size / sizeof(float));
        pa_stream_write(stream, memory, size, NULL, 0, PA_SEEK_RELATIVE);
        bytes -= size;
    }
}

static void received(pa_mainloop_api *api, pa_io_event *event, int socket, pa_io_event_flags_t flags, void *unused) {
    char text[16];
    (void)api, (void)event, (void)flags, (void)unused;
    if (recv(socket, text, sizeof text, 0) > 0) target = text[0] == '1' ? 0.5f : 0;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    uint32_t buffer = (uint32_t)(atof(words[1]) * 48) * sizeof(float);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(words[2])),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int port = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (bind(port, (void *)&address, sizeof address) < 0) return 1;
    pa_mainloop *loop = pa_mainloop_new();
    pa_context *context = pa_context_new(pa_mainloop_get_api(loop), "short buffer");
    pa_context_connect(context, NULL, PA_CONTEXT_NOAUTOSPAWN, NULL);
    while (pa_context_get_state(context) != PA_CONTEXT_READY) {
        if (!PA_CONTEXT_IS_GOOD(pa_context_get_state(context))) return 1;
        pa_mainloop_iterate(loop, 1, NULL);
    }
    pa_sample_spec spec = {PA_SAMPLE_FLOAT32LE, 48000, 1};
    pa_stream *stream = pa_stream_new(context, "short buffer", &spec, NULL);
    pa_stream_set_write_callback(stream, asked, NULL);
    pa_buffer_attr attributes = {.maxlength = -1, .tlength = buffer, .prebuf = 0, .minreq = -1, .fragsize = -1};
    pa_stream_connect_playback(stream, NULL, &attributes, PA_STREAM_ADJUST_LATENCY, NULL, NULL);
    pa_mainloop_get_api(loop)->io_new(pa_mainloop_get_api(loop), port, PA_IO_EVENT_INPUT, received, NULL);
    return pa_mainloop_run(loop, NULL);
}
