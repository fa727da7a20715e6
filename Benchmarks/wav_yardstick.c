/* The least a renderer must do: libsndfile writing as many 16-bit frames as the session has, one buffer over and over.
   Usage: wav_yardstick SECONDS OUT.wav */
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: wav_yardstick SECONDS OUT.wav\n");
        return 64;
    }
    SF_INFO info = {.samplerate = 48000, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(argv[2], SFM_WRITE, &info);
    if (!file) return 73;
    static short block[4096];
    for (int n = 0; n < 4096; n++) block[n] = (short)(n * 7);
    for (long left = atol(argv[1]) * 48000; left > 0; left -= 4096)
        sf_write_short(file, block, left < 4096 ? left : 4096);
    return sf_close(file);
}
