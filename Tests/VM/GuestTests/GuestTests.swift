import Testing

/// Against a real kernel's input stack: run by `Tests/VM/Machine/run-in-vm`, one after the other.
@Suite(.serialized, .enabled(if: hasUinput, "there is no /dev/uinput here: scripts/test runs these in a guest")) struct GuestTests {}
