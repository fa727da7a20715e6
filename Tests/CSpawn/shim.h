#pragma once
#include <spawn.h>

// spawn.h keeps it from whoever does not ask for more than the standard.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
