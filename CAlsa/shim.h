#pragma once
#include <alsa/asoundlib.h>

static void thrum_alsa_ignore(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file; (void)line; (void)function; (void)code; (void)format;
}

/* libasound prints what goes wrong to the standard error, unless it is given another place; Swift cannot make such a function. */
static inline void thrum_alsa_print_nothing(void) { snd_lib_error_set_handler(thrum_alsa_ignore); }
