#pragma once
#include <libevdev-1.0/libevdev/libevdev.h>
#include <sys/ioctl.h>

// The kernel's macros for these do not reach Swift. Each returns -1 and sets errno when refused.

/// Keeps `effect` in the device's memory; with an id of -1 it is given one. May block until the device has answered.
static inline int evdev_upload_effect(int device, struct ff_effect *effect) { return ioctl(device, EVIOCSFF, effect); }
static inline int evdev_erase_effect(int device, int id) { return ioctl(device, EVIOCRMFF, id); }
static inline int evdev_effect_slots(int device, int *count) { return ioctl(device, EVIOCGEFFECTS, count); }
