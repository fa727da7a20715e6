#pragma once
// What Glibc's own module leaves out.
#include <sys/eventfd.h>
