#pragma once
#include <linux/uinput.h>
#include <sys/ioctl.h>

// The kernel's macros for these do not reach Swift. Each returns -1 and sets errno when refused.

static inline int uinput_set(int device, int kind, int code) {
    switch (kind) {
    case EV_KEY: return ioctl(device, UI_SET_KEYBIT, code);
    case EV_REL: return ioctl(device, UI_SET_RELBIT, code);
    case EV_FF: return ioctl(device, UI_SET_FFBIT, code);
    case EV_SW: return ioctl(device, UI_SET_SWBIT, code);
    default: return -1;
    }
}
static inline int uinput_set_type(int device, int type) { return ioctl(device, UI_SET_EVBIT, type); }
static inline int uinput_set_property(int device, int property) { return ioctl(device, UI_SET_PROPBIT, property); }
static inline int uinput_set_place(int device, const char *phys) { return ioctl(device, UI_SET_PHYS, phys); }
static inline int uinput_set_axis(int device, int code, int least, int most) {
    struct uinput_abs_setup setup = { .code = code, .absinfo = { .minimum = least, .maximum = most } };
    return ioctl(device, UI_ABS_SETUP, &setup);
}
static inline int uinput_create(int device, const char *name, int vendor, int product, int effects) {
    struct uinput_setup setup = { .id = { .bustype = BUS_VIRTUAL, .vendor = vendor, .product = product }, .ff_effects_max = effects };
    __builtin_strncpy(setup.name, name, UINPUT_MAX_NAME_SIZE - 1);
    return ioctl(device, UI_DEV_SETUP, &setup) < 0 ? -1 : ioctl(device, UI_DEV_CREATE);
}
static inline int uinput_destroy(int device) { return ioctl(device, UI_DEV_DESTROY); }
/// `name` has room for 64 bytes.
static inline int uinput_name(int device, char *name) { return ioctl(device, UI_GET_SYSNAME(64), name); }
static inline int uinput_begin_upload(int device, struct uinput_ff_upload *upload) { return ioctl(device, UI_BEGIN_FF_UPLOAD, upload); }
static inline int uinput_end_upload(int device, struct uinput_ff_upload *upload) { return ioctl(device, UI_END_FF_UPLOAD, upload); }
static inline int uinput_begin_erase(int device, struct uinput_ff_erase *erase) { return ioctl(device, UI_BEGIN_FF_ERASE, erase); }
static inline int uinput_end_erase(int device, struct uinput_ff_erase *erase) { return ioctl(device, UI_END_FF_ERASE, erase); }

/// From now on the events read from `node` are stamped by CLOCK_MONOTONIC.
static inline int evdev_use_monotonic(int node) {
    int clock = 1;
    return ioctl(node, EVIOCSCLOCKID, &clock);
}
/// What the kernel holds for the first `count` slots; `values` has room for one more, which says of what.
static inline int evdev_slots(int node, int code, int *values, int count) {
    values[0] = code;
    return ioctl(node, EVIOCGMTSLOTS((count + 1) * sizeof(int)), values);
}
