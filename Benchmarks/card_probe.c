/* Sends commands at moments of its own, and prints for each how many frames the card had taken by then.
   cc -O2 card_probe.c
   usage: card_probe STATUS TRIALS udp:PORT|unix:PATH ON OFF      STATUS: the playing substream's, in /proc/asound */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Reading it has the kernel ask the card. */
static long taken(const char *status) {
    FILE *file = fopen(status, "r");
    char line[200];
    long frames = -1;
    while (file && fgets(line, sizeof line, file)) sscanf(line, "hw_ptr : %ld", &frames);
    if (file) fclose(file);
    if (frames < 0) fprintf(stderr, "%s: nothing plays\n", status), exit(1);
    return frames;
}

static int connect_to(const char *destination) {
    int is_unix = !strncmp(destination, "unix:", 5);
    const char *where = strchr(destination, ':') + 1;
    int channel = is_unix ? socket(AF_UNIX, SOCK_STREAM, 0) : socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(atoi(where)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    strncpy(local.sun_path, where, sizeof local.sun_path - 1);
    int status = is_unix ? connect(channel, (void *)&local, sizeof local) : connect(channel, (void *)&port, sizeof port);
    if (status < 0) perror(destination), exit(1);
    return channel;
}

int main(int count, char **words) {
    if (count != 6) return fprintf(stderr, "usage: card_probe STATUS TRIALS udp:PORT|unix:PATH ON OFF\n"), 2;
    int channel = connect_to(words[3]), trials = atoi(words[2]);
    const char *end = !strncmp(words[3], "unix:", 5) ? "\n" : "";
    char on[300], off[300];
    snprintf(on, sizeof on, "%s%s", words[4], end);
    snprintf(off, sizeof off, "%s%s", words[5], end);
    srand(1);
    for (int n = -3; n < trials; n++) {
        usleep(300000 + rand() % 100000);
        long before = taken(words[1]);
        if (write(channel, on, strlen(on)) < 0) return perror("write"), 1;
        if (n >= 0) printf("%ld\n", before);
        usleep(200000);
        if (write(channel, off, strlen(off)) < 0) return perror("write"), 1;
    }
    return 0;
}
