/* From a touch to its haptic effect, of any program that reads a touchscreen and drives a force-feedback device: plays
   both devices through uinput, so the program and the kernel's input stack are what they are with hardware.
   cc -O2 -pthread touch_bench.c
   usage: touch_bench [-n TOUCHES] [-l LABEL] [-q COMMAND] PROGRAM [ARGUMENT...]
   The words SCREEN and PAD among the arguments become the devices' nodes. COMMAND is run after the last touch, before
   the program is ended. Prints LABEL, n, median, p95 and max in microseconds, and how many touches were not felt before
   the finger was up again; ends with 0 if any was felt.

   Both ends of a delay are stamps of the kernel's, CLOCK_MONOTONIC in whole microseconds, and nobody who is measured
   waits for either to be read:
   - The touch: what evdev stamps its packet with, the very time that the program gets to know. A clock read before
     write(2) would add what uinput takes to get there. It is read back through a reader of our own, at the end of the
     pause after the touch. That reader is opened after the program's, so the kernel serves it last, and nobody waits on
     it, so it wakes nobody.
   - The effect: uinput stamps a play as it is queued for the device. The thread that reads it wakes up after that. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EFFECTS = 16, SLOTS = 10, SIZE = 1000, HELD_MS = 40, PAUSE_MS = 150, READY_MS = 60000, END_MS = 10000 };

typedef struct { int fd; char node[300]; } Device;

static Device screen, pad;
static pid_t child;

/* Exits; what was started dies with us. */
static void fail(const char *format, ...) {
    va_list words;
    va_start(words, format);
    fprintf(stderr, "touch_bench: ");
    vfprintf(stderr, format, words);
    fprintf(stderr, "\n");
    exit(1);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static long long stamp(const struct input_event *event) {
    return event->input_event_sec * 1000000LL + event->input_event_usec;
}

static void pause_for(double milliseconds) {
    long nanoseconds = milliseconds * 1e6;
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    while (nanosleep(&time, &time) < 0 && errno == EINTR) {}
}

/* MARK: The devices */

static void declare(Device *device, unsigned long request, int value) {
    if (ioctl(device->fd, request, value) < 0) fail("uinput does not take %d: %s", value, strerror(errno));
}

static void declare_axis(Device *device, int code, int most) {
    struct uinput_abs_setup axis = {.code = code, .absinfo.maximum = most};
    if (ioctl(device->fd, UI_ABS_SETUP, &axis) < 0) fail("uinput does not take axis %d: %s", code, strerror(errno));
}

static void open_uinput(Device *device) {
    device->fd = open("/dev/uinput", O_RDWR | O_CLOEXEC);
    if (device->fd < 0) fail("/dev/uinput: %s", strerror(errno));
}

static void find_node(Device *device) {
    char name[64], folder[128];
    if (ioctl(device->fd, UI_GET_SYSNAME(sizeof name), name) < 0) fail("a device has no name: %s", strerror(errno));
    snprintf(folder, sizeof folder, "/sys/devices/virtual/input/%s", name);
    DIR *entries = opendir(folder);
    if (!entries) fail("%s: %s", folder, strerror(errno));
    struct dirent *entry;
    while ((entry = readdir(entries)) && strncmp(entry->d_name, "event", 5)) {}
    if (!entry) fail("%s has no event node (is the module evdev there?)", folder);
    snprintf(device->node, sizeof device->node, "/dev/input/%s", entry->d_name);
    closedir(entries);
}

static void create(Device *device, const char *name, int effects) {
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL, .vendor = 0x1209, .product = 0x7468},
                                 .ff_effects_max = effects};
    strncpy(setup.name, name, sizeof setup.name - 1);
    if (ioctl(device->fd, UI_DEV_SETUP, &setup) < 0 || ioctl(device->fd, UI_DEV_CREATE) < 0)
        fail("%s cannot be made: %s", name, strerror(errno));
    find_node(device);
}

static void make_screen(void) {
    open_uinput(&screen);
    declare(&screen, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
    declare(&screen, UI_SET_EVBIT, EV_KEY);
    declare(&screen, UI_SET_KEYBIT, BTN_TOUCH);
    declare(&screen, UI_SET_EVBIT, EV_ABS);
    declare_axis(&screen, ABS_MT_SLOT, SLOTS - 1);
    declare_axis(&screen, ABS_MT_TRACKING_ID, 65535);
    declare_axis(&screen, ABS_MT_POSITION_X, SIZE);
    declare_axis(&screen, ABS_MT_POSITION_Y, SIZE);
    create(&screen, "Bench Screen", 0);
}

static void make_pad(void) {
    open_uinput(&pad);
    declare(&pad, UI_SET_EVBIT, EV_FF);
    declare(&pad, UI_SET_FFBIT, FF_PERIODIC);
    declare(&pad, UI_SET_FFBIT, FF_SINE);
    declare(&pad, UI_SET_FFBIT, FF_GAIN);
    create(&pad, "Bench Pad", EFFECTS);
}

/* MARK: The pad's own thread, which must answer or the program's upload hangs */

static atomic_llong last_upload; /* 0: none yet */
static long long *plays;         /* when each was queued to the pad, those below `played` */
static atomic_int played;
static int most_plays;

static void answer_upload(int request) {
    struct uinput_ff_upload upload = {.request_id = request};
    ioctl(pad.fd, UI_BEGIN_FF_UPLOAD, &upload);
    upload.retval = 0;
    ioctl(pad.fd, UI_END_FF_UPLOAD, &upload);
    last_upload = now();
}

static void answer_erase(int request) {
    struct uinput_ff_erase erase = {.request_id = request};
    ioctl(pad.fd, UI_BEGIN_FF_ERASE, &erase);
    erase.retval = 0;
    ioctl(pad.fd, UI_END_FF_ERASE, &erase);
}

static void *play_pad(void *unused) {
    struct input_event event;
    while (read(pad.fd, &event, sizeof event) == sizeof event) {
        if (event.type == EV_UINPUT && event.code == UI_FF_UPLOAD) answer_upload(event.value);
        if (event.type == EV_UINPUT && event.code == UI_FF_ERASE) answer_erase(event.value);
        /* Not gain, which has a higher code, and no stop. */
        if (event.type != EV_FF || event.code >= EFFECTS || event.value <= 0 || played == most_plays) continue;
        plays[played] = stamp(&event);
        played++;
    }
    return unused;
}

/* MARK: The program */

static void start(char **words) {
    for (char **word = words; *word; word++) {
        if (!strcmp(*word, "SCREEN")) *word = screen.node;
        if (!strcmp(*word, "PAD")) *word = pad.node;
    }
    child = fork();
    if (child < 0) fail("no process can be started: %s", strerror(errno));
    if (child > 0) return;
    /* However we end. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execvp(words[0], words);
    fprintf(stderr, "touch_bench: %s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static void check_it_runs(void) {
    int status;
    if (waitpid(child, &status, WNOHANG) != child) return;
    if (WIFSIGNALED(status)) fail("the program was killed by signal %d", WTERMSIG(status));
    fail("the program ended by itself with status %d", WEXITSTATUS(status));
}

/* It has uploaded effects, and no more for half a second. */
static void wait_until_ready(void) {
    long long end = now() + READY_MS * 1000LL;
    while (!last_upload || now() - last_upload < 500000) {
        check_it_runs();
        if (now() > end) fail("within %d s the program %s", READY_MS / 1000,
                              last_upload ? "did not stop uploading effects" : "uploaded no effect");
        pause_for(20);
    }
}

static void end_program(void) {
    kill(child, SIGTERM);
    for (long long end = now() + END_MS * 1000LL; waitpid(child, NULL, WNOHANG) == 0; pause_for(10)) {
        if (now() > end) fail("the program does not end within %d s of SIGTERM", END_MS / 1000);
    }
}

/* MARK: Touches */

static void emit(const struct input_event *packet, size_t size) {
    if (write(screen.fd, packet, size) != (ssize_t)size) fail("a touch cannot be written: %s", strerror(errno));
}

/* Every time elsewhere, since the kernel passes on only what has changed. */
static void finger_down(int number) {
    struct input_event packet[] = {
        {.type = EV_ABS, .code = ABS_MT_SLOT, .value = 0},
        {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = number % 65536},
        {.type = EV_ABS, .code = ABS_MT_POSITION_X, .value = number * 37 % SIZE},
        {.type = EV_ABS, .code = ABS_MT_POSITION_Y, .value = number * 61 % SIZE},
        {.type = EV_KEY, .code = BTN_TOUCH, .value = 1},
        {.type = EV_SYN, .code = SYN_REPORT},
    };
    emit(packet, sizeof packet);
}

static void finger_up(void) {
    struct input_event packet[] = {
        {.type = EV_ABS, .code = ABS_MT_SLOT, .value = 0},
        {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = -1},
        {.type = EV_KEY, .code = BTN_TOUCH, .value = 0},
        {.type = EV_SYN, .code = SYN_REPORT},
    };
    emit(packet, sizeof packet);
}

static int open_reader(void) {
    int reader = open(screen.node, O_RDONLY | O_NONBLOCK | O_CLOEXEC), monotonic = CLOCK_MONOTONIC;
    if (reader < 0) fail("%s: %s", screen.node, strerror(errno));
    if (ioctl(reader, EVIOCSCLOCKID, &monotonic) < 0) fail("%s keeps its own clock: %s", screen.node, strerror(errno));
    return reader;
}

/* The kernel's times of the two packets of a touch. */
static void read_back(int reader, long long *down, long long *up) {
    struct input_event event;
    long long moments[2];
    int packets = 0;
    while (read(reader, &event, sizeof event) == sizeof event) {
        if (event.type != EV_SYN || event.code != SYN_REPORT) continue;
        if (packets < 2) moments[packets] = stamp(&event);
        packets++;
    }
    /* For instance because the program has grabbed the screen. */
    if (packets != 2) fail("of a touch %d packets can be read back instead of 2", packets);
    *down = moments[0];
    *up = moments[1];
}

/* The first play between the two moments; -1 if there is none. */
static long long play_between(long long down, long long up) {
    for (int n = 0; n < played; n++) {
        if (plays[n] >= down && plays[n] < up) return plays[n];
    }
    return -1;
}

/* Returns the delays there are, at most so many. */
static int measure(int touches, long long *delays) {
    int reader = open_reader(), found = 0;
    for (int n = 0; n < touches; n++) {
        long long down, up;
        finger_down(n);
        pause_for(HELD_MS);
        finger_up();
        /* Never in step with what the program does at regular times. */
        pause_for(PAUSE_MS + rand() % 8000 / 1000.0);
        read_back(reader, &down, &up);
        long long play = play_between(down, up);
        if (play >= 0) delays[found++] = play - down;
        check_it_runs();
    }
    close(reader);
    return found;
}

/* MARK: The whole */

static int order(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static int print(const char *label, long long *delays, int found, int touches) {
    if (found == 0) return printf("%-28s no touch was felt, of %d\n", label, touches), 1;
    qsort(delays, found, sizeof *delays, order);
    printf("%-28s %3d  median %5lld  p95 %5lld  max %6lld us, not felt: %d\n", label, found, delays[found / 2],
           delays[found * 95 / 100], delays[found - 1], touches - found);
    return 0;
}

static void is_overdue(int number) {
    static const char words[] = "touch_bench: given up, it takes too long\n";
    (void)number;
    if (write(2, words, sizeof words - 1) < 0) _exit(3);
    _exit(1);
}

/* Steps have limits of their own; this is for COMMAND, and for a kernel that hangs. */
static void limit(int touches) {
    signal(SIGALRM, is_overdue);
    alarm(touches / 4 + (READY_MS + END_MS) / 1000 + 60);
}

static void run(const char *command) {
    int status = system(command);
    if (status != 0) fail("'%s' ended with status %d", command, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

int main(int count, char **words) {
    const char *label = "", *command = NULL;
    int touches = 200, option;
    while ((option = getopt(count, words, "+n:l:q:")) != -1) {
        if (option == 'n') touches = atoi(optarg);
        else if (option == 'l') label = optarg;
        else if (option == 'q') command = optarg;
        else return 2;
    }
    if (optind >= count || touches < 1)
        return fprintf(stderr, "usage: touch_bench [-n TOUCHES] [-l LABEL] [-q COMMAND] PROGRAM [ARGUMENT...]\n"), 2;
    limit(touches);
    /* Room for many effects a touch. */
    most_plays = touches * 16;
    plays = calloc(most_plays, sizeof *plays);
    long long *delays = calloc(touches, sizeof *delays);
    if (!plays || !delays) fail("no memory for %d touches", touches);
    make_screen();
    make_pad();
    pthread_t thread;
    if (pthread_create(&thread, NULL, play_pad, NULL) != 0) fail("no thread can be started");
    start(words + optind);
    wait_until_ready();
    int found = measure(touches, delays);
    if (command) run(command);
    end_program();
    return print(label, delays, found, touches);
}
