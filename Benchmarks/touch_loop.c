/* The least that can be done for a finger that comes down: the yardstick for thrumd.
   cc -O2 touch_loop.c
   usage: touch_loop SCREEN PAD        two nodes in /dev/input; starts an effect for every touch, until it is killed */
#include <fcntl.h>
#include <linux/input.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int is_down(const struct input_event *event) {
    return (event->type == EV_KEY && event->code == BTN_TOUCH && event->value == 1) ||
           (event->type == EV_ABS && event->code == ABS_MT_TRACKING_ID && event->value >= 0);
}

int main(int count, char **words) {
    if (count != 3) return fprintf(stderr, "usage: touch_loop SCREEN PAD\n"), 2;
    int screen = open(words[1], O_RDONLY), pad = open(words[2], O_RDWR);
    if (screen < 0) return perror(words[1]), 1;
    if (pad < 0) return perror(words[2]), 1;
    struct ff_effect effect = {.type = FF_PERIODIC, .id = -1, .direction = 0x4000, .replay.length = 20,
                               .u.periodic = {.waveform = FF_SINE, .period = 5, .magnitude = 0x4000}};
    if (ioctl(pad, EVIOCSFF, &effect) < 0) return perror("no effect can be uploaded"), 1;
    struct input_event event, play = {.type = EV_FF, .code = effect.id, .value = 1};
    while (read(screen, &event, sizeof event) == sizeof event) {
        if (is_down(&event) && write(pad, &play, sizeof play) < 0) return perror("no effect can be played"), 1;
    }
    return perror(words[1]), 1;
}
