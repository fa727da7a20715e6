"""A touchscreen that is plugged in: a device of the kernel's uinput, with a finger that comes down."""

import fcntl
import os
import struct
import time

# <linux/uinput.h>, <linux/input-event-codes.h>
UI_DEV_CREATE, UI_DEV_DESTROY = 0x5501, 0x5502
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_ABSBIT, UI_SET_PROPBIT = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
BTN_TOUCH, INPUT_PROP_DIRECT = 0x14A, 1
SLOT, X, Y, TRACKING = 0x2F, 0x35, 0x36, 0x39
NAME = "Thrum test screen"


class Touchscreen:
    def __init__(self):
        self.node = os.open("/dev/uinput", os.O_WRONLY)
        for request, value in [(UI_SET_EVBIT, EV_KEY), (UI_SET_EVBIT, EV_ABS), (UI_SET_KEYBIT, BTN_TOUCH),
                               (UI_SET_PROPBIT, INPUT_PROP_DIRECT)]:
            fcntl.ioctl(self.node, request, value)
        largest = [0] * 64
        for axis, most in [(0, 1000), (1, 1000), (SLOT, 9), (X, 1000), (Y, 1000), (TRACKING, 65535)]:
            fcntl.ioctl(self.node, UI_SET_ABSBIT, axis)
            largest[axis] = most
        # struct uinput_user_dev: the name, an id, and of every axis the largest value, the smallest, the noise and the flat part.
        os.write(self.node, struct.pack("80s4HI256i", NAME.encode(), 3, 1, 1, 1, 0, *largest, *[0] * 192))
        fcntl.ioctl(self.node, UI_DEV_CREATE)

    def send(self, *events):
        for kind, code, value in (*events, (EV_SYN, 0, 0)):
            os.write(self.node, struct.pack("qqHHi", 0, 0, kind, code, value))

    def touch(self, seconds):
        """A finger in the middle, for so long."""
        middle = [(EV_ABS, axis, 500) for axis in (X, Y, 0, 1)]
        self.send((EV_ABS, SLOT, 0), (EV_ABS, TRACKING, 1), *middle, (EV_KEY, BTN_TOUCH, 1))
        time.sleep(seconds)
        self.send((EV_ABS, TRACKING, -1), (EV_KEY, BTN_TOUCH, 0))

    def unplug(self):
        fcntl.ioctl(self.node, UI_DEV_DESTROY)
        os.close(self.node)
