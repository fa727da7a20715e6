import CEvdev
import Glibc
import Haptics
import SystemPackage

/// An open input device: the kernel's file and libevdev's view of it. Closed when nobody holds it any more; the kernel then
/// erases the effects that were uploaded through it.
// Safe to share, because nothing changes it once it has been made but grabbing, which one queue does, and an open file is anybody's.
final class DeviceNode: @unchecked Sendable {
    let identity: DeviceIdentity
    let descriptor: Int32
    private let device: OpaquePointer
    /// Whether it may be written to, which force feedback needs.
    let isWritable: Bool

    static let folder = "/dev/input"

    /// Throws `Errno`.
    init(_ node: String, paths: [String] = []) throws(Errno) {
        func open(_ mode: Int32) -> Int32 { Glibc.open(node, mode | O_NONBLOCK | O_CLOEXEC) }
        var descriptor = open(O_RDWR)
        isWritable = descriptor >= 0
        if descriptor < 0, [EACCES, EPERM, EROFS].contains(errno) { descriptor = open(O_RDONLY) }
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        var device: OpaquePointer?
        let failure = libevdev_new_from_fd(descriptor, &device)
        guard failure >= 0, let device else {
            close(descriptor)
            throw Errno(rawValue: -failure)
        }
        libevdev_set_clock_id(device, CLOCK_MONOTONIC)
        self.descriptor = descriptor
        self.device = device
        identity = DeviceIdentity(
            node: node, paths: paths, name: libevdev_get_name(device).map { String(cString: $0) } ?? "",
            phys: libevdev_get_phys(device).map { String(cString: $0) } ?? "",
            vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
            product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)))
    }

    deinit {
        libevdev_free(device)
        close(descriptor)
    }

    // MARK: What it can do

    func has(_ type: Int32, _ code: Int32) -> Bool { libevdev_has_event_code(device, UInt32(type), UInt32(code)) != 0 }

    /// How it is read as a touchscreen, a pen or a mouse; nil if it is none.
    func contacts(as kind: TouchRule.Kind) -> ContactTracker? {
        let isDirect = libevdev_has_property(device, UInt32(INPUT_PROP_DIRECT)) != 0
        let isPen = has(EV_KEY, BTN_TOOL_PEN)
        switch kind {
        case .touch, .surface:
            guard isDirect || kind == .surface, !isPen || isMultitouch else { return nil }
            if isMultitouch {
                return ContactTracker(.multitouch, slots: Int(libevdev_get_num_slots(device)), width: range(ABS_MT_POSITION_X),
                                      height: range(ABS_MT_POSITION_Y))
            }
            return single(BTN_TOUCH)
        case .pen: return isPen ? single(BTN_TOUCH) : nil
        case .mouse:
            if has(EV_REL, REL_X), has(EV_REL, REL_Y), has(EV_KEY, BTN_LEFT) {
                return ContactTracker(.relative(button: UInt32(BTN_LEFT)), width: 0...1, height: 0...1)
            }
            return isPen || isDirect ? nil : single(BTN_LEFT)
        }
    }

    private var isMultitouch: Bool {
        libevdev_get_num_slots(device) > 0 && has(EV_ABS, ABS_MT_TRACKING_ID) && has(EV_ABS, ABS_MT_POSITION_X)
    }

    private func single(_ button: Int32) -> ContactTracker? {
        guard has(EV_ABS, ABS_X), has(EV_ABS, ABS_Y), has(EV_KEY, button) else { return nil }
        return ContactTracker(.single(button: UInt32(button)), width: range(ABS_X), height: range(ABS_Y))
    }

    private func range(_ code: Int32) -> ClosedRange<Int32> {
        let (least, most) = (libevdev_get_abs_minimum(device, UInt32(code)), libevdev_get_abs_maximum(device, UInt32(code)))
        return least < most ? least...most : 0...1
    }

    /// Nil if it has no force feedback that we could use.
    var motor: MotorAbilities? {
        var slots: Int32 = 0
        guard has(EV_FF, FF_PERIODIC) || has(EV_FF, FF_RUMBLE) || has(EV_FF, FF_CONSTANT),
              evdev_effect_slots(descriptor, &slots) >= 0, slots > 0 else { return nil }
        let drive: MotorAbilities.Drive = if has(EV_FF, FF_PERIODIC), has(EV_FF, FF_SINE) { .sine }
            else if has(EV_FF, FF_RUMBLE) { .rumble } else { .constant }
        guard drive != .constant || has(EV_FF, FF_CONSTANT) else { return nil }
        return MotorAbilities(drive: drive, hasGain: has(EV_FF, FF_GAIN), slots: Int(slots))
    }

    // MARK: What it says

    /// Nobody else gets its events any more. False if somebody else has them already. Thread: the queue that looks for devices.
    func grab() -> Bool { libevdev_grab(device, LIBEVDEV_GRAB) == 0 }

    /// Others get its events, too. Waits for the kernel, for milliseconds. Thread: as `grab`.
    func release() { _ = libevdev_grab(device, LIBEVDEV_UNGRAB) }

    /// Another descriptor of the same open file, to read from. Throws `Errno`.
    func duplicate() throws(Errno) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return copy
    }

    /// Forgets the events that have not been read.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    /// Unplugged, or revoked.
    var isGone: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
    }

    /// How things stand, from the kernel, as events that would lead there.
    func state(_ take: (_ type: UInt32, _ code: UInt32, _ value: Int32) -> Void, style: ContactTracker.Style) {
        // A new view of the device asks the kernel for all of it.
        var device: OpaquePointer?
        guard libevdev_new_from_fd(descriptor, &device) >= 0, let device else { return }
        defer { libevdev_free(device) }
        let absolute = UInt32(EV_ABS)
        switch style {
        case .multitouch:
            for slot in 0..<max(0, libevdev_get_num_slots(device)) {
                take(absolute, UInt32(ABS_MT_SLOT), slot)
                for code in [ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID] {
                    take(absolute, UInt32(code), libevdev_get_slot_value(device, UInt32(slot), UInt32(code)))
                }
            }
            take(absolute, UInt32(ABS_MT_SLOT), max(0, libevdev_get_current_slot(device)))
        case .single(let button), .relative(let button):
            for code in [ABS_X, ABS_Y] where has(EV_ABS, code) {
                take(absolute, UInt32(code), libevdev_get_event_value(device, absolute, UInt32(code)))
            }
            take(UInt32(EV_KEY), button, libevdev_get_event_value(device, UInt32(EV_KEY), button))
        }
    }
}
