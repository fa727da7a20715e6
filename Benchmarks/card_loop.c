/* The ordinary way to be quick on a sound card: a ring of two short periods, filled whenever one of them has been played.
   cc -O2 card_loop.c -lasound -lm
   usage: card_loop DEVICE search            plays silence, 10 s with each period; prints the shortest in frames that did not run dry
          card_loop DEVICE PERIOD UDP_PORT   a datagram "1" opens the tone, "0" closes it */
#include <alsa/asoundlib.h>
#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rate = 48000, most = 4096 };

static float level, target;
static double phase;

static void render(int16_t *out, int frames) {
    for (int n = 0; n < frames; n++) {
        /* 5 ms from one to the other. */
        if (level < target) level = fminf(target, level + 0.5f / 240);
        if (level > target) level = fmaxf(target, level - 0.5f / 240);
        out[2 * n] = out[2 * n + 1] = (int16_t)lrintf(32767 * level * sinf((float)(phase * 2 * M_PI)));
        phase += 1000.0 / rate;
        phase -= floor(phase);
    }
}

/* Plays for so many blocks of a period, or for ever with -1; returns how often the card ran dry, or -1 if it has no such period. */
static long play(const char *device, int period, long blocks, int port) {
    snd_pcm_t *card;
    int error = snd_pcm_open(&card, device, SND_PCM_STREAM_PLAYBACK, 0);
    if (error < 0) fprintf(stderr, "%s: %s\n", device, snd_strerror(error)), exit(1);
    snd_pcm_hw_params_t *hardware;
    snd_pcm_hw_params_alloca(&hardware);
    snd_pcm_hw_params_any(card, hardware);
    snd_pcm_uframes_t size = period, ring = 2 * period;
    if (snd_pcm_hw_params_set_access(card, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) < 0 ||
        snd_pcm_hw_params_set_format(card, hardware, SND_PCM_FORMAT_S16) < 0 ||
        snd_pcm_hw_params_set_channels(card, hardware, 2) < 0 || snd_pcm_hw_params_set_rate(card, hardware, rate, 0) < 0 ||
        snd_pcm_hw_params_set_period_size(card, hardware, size, 0) < 0 ||
        snd_pcm_hw_params_set_buffer_size(card, hardware, ring) < 0 || snd_pcm_hw_params(card, hardware) < 0) {
        snd_pcm_close(card);
        return -1;
    }
    /* It begins when both periods are full. */
    snd_pcm_sw_params_t *software;
    snd_pcm_sw_params_alloca(&software);
    snd_pcm_sw_params_current(card, software);
    snd_pcm_sw_params_set_start_threshold(card, software, ring);
    snd_pcm_sw_params(card, software);
    long dry = 0;
    int16_t block[2 * most];
    for (long n = 0; blocks < 0 || n < blocks; n++) {
        char text[16];
        while (port >= 0 && recv(port, text, sizeof text, MSG_DONTWAIT) > 0) target = text[0] == '1' ? 0.5f : 0;
        render(block, period);
        snd_pcm_sframes_t written = snd_pcm_writei(card, block, period);
        if (written >= 0) continue;
        dry++;
        if (blocks < 0) fprintf(stderr, "ran dry\n");
        if (snd_pcm_recover(card, written, 1) < 0) exit(1);
    }
    snd_pcm_close(card);
    return dry;
}

int main(int count, char **words) {
    if (count == 3 && !strcmp(words[2], "search")) {
        for (int period = 64; period <= most; period *= 2) {
            long dry = play(words[1], period, 10L * rate / period, -1);
            fprintf(stderr, "periods of %d frames: %s%ld\n", period, dry < 0 ? "not to be had " : "ran dry ", dry);
            if (dry == 0) return printf("%d\n", period), 0;
        }
        return fprintf(stderr, "%s runs dry with every period\n", words[1]), 1;
    }
    if (count != 4 || atoi(words[2]) < 1 || atoi(words[2]) > most) return fprintf(stderr, "usage: card_loop DEVICE search|PERIOD [UDP_PORT]\n"), 2;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(words[3])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int port = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(port, (void *)&address, sizeof address) < 0) return perror("bind"), 1;
    return play(words[1], atoi(words[2]), -1, port) < 0;
}
