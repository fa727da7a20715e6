import CEvdev
import Glibc
import Haptics
import SystemPackage

/// An open input device: its file descriptor, and libevdev's view of it. It is closed with the last reference. The kernel then erases the
/// effects that were uploaded through it.
// Safe to share: after init nothing changes but the grab, which one queue does, and any thread may use an open file.
final class DeviceNode: @unchecked Sendable {
    let identity: DeviceIdentity
    let capabilities: DeviceCapabilities
    let descriptor: Int32
    private let device: OpaquePointer
    /// Whether the device is open for writing, which force feedback needs.
    let isWritable: Bool

    static let folder = "/dev/input"

    /// Opens the device, for writing too where that is permitted. Throws `Errno`.
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
        capabilities = DeviceCapabilities(device)
    }

    deinit {
        libevdev_free(device)
        close(descriptor)
    }

    // MARK: What it can do

    func has(_ type: Int32, _ code: Int32) -> Bool { libevdev_has_event_code(device, UInt32(type), UInt32(code)) != 0 }

    /// The device's force feedback; nil if it has none that can be used.
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

    /// Takes the device's events for this process alone. Returns false if another process has already done so. Thread: the queue that looks
    /// for devices.
    func grab() -> Bool { libevdev_grab(device, LIBEVDEV_GRAB) == 0 }

    /// Lets other processes receive the events again. Waits some milliseconds for the kernel. Thread: as `grab`.
    func release() { _ = libevdev_grab(device, LIBEVDEV_UNGRAB) }

    /// Makes another descriptor of the same open file, for reading. Throws `Errno`.
    func duplicate() throws(Errno) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Errno(rawValue: errno) }
        return copy
    }

    /// Discards the events that were not read yet.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    /// Whether the device was unplugged, or access to it was revoked.
    var isGone: Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
    }

    /// Asks the kernel whether the button is pressed now.
    func isPressed(_ button: Int32) -> Bool {
        var isPressed = false
        state({ _, _, value in isPressed = value != 0 }, style: .relative(button: UInt32(button)))
        return isPressed
    }

    /// Asks the kernel whether any key or button is down.
    var hasKeyDown: Bool { !on(capabilities.keys.map { SwitchContact(key: $0) }).isEmpty }

    /// Asks the kernel which of `contacts` are on now. Empty where it does not answer.
    func on(_ contacts: [SwitchContact]) -> Set<SwitchContact> {
        var device: OpaquePointer?
        guard libevdev_new_from_fd(descriptor, &device) >= 0, let device else { return [] }
        defer { libevdev_free(device) }
        return Set(contacts.filter { libevdev_get_event_value(device, UInt32($0.type), UInt32($0.code)) != 0 })
    }

    /// Asks the kernel for the device's present state, and passes it to `take` as the events that lead to that state.
    func state(_ take: (_ type: UInt32, _ code: UInt32, _ value: Int32) -> Void, style: ContactTracker.Style) {
        // Making a new view of the device reads its whole state from the kernel.
        var device: OpaquePointer?
        guard libevdev_new_from_fd(descriptor, &device) >= 0, let device else { return }
        defer { libevdev_free(device) }
        let absolute = UInt32(EV_ABS)
        func takeSingle(_ positions: [Int32], _ keys: [UInt32]) {
            for code in positions { take(absolute, UInt32(code), libevdev_get_event_value(device, absolute, UInt32(code))) }
            for key in keys { take(UInt32(EV_KEY), key, libevdev_get_event_value(device, UInt32(EV_KEY), key)) }
        }
        switch style {
        case .multitouch:
            let codes = [ABS_MT_TRACKING_ID, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_DISTANCE, ABS_MT_TOOL_TYPE]
                .filter { has(EV_ABS, $0) }
            for slot in 0..<max(0, libevdev_get_num_slots(device)) {
                take(absolute, UInt32(ABS_MT_SLOT), slot)
                for code in codes { take(absolute, UInt32(code), libevdev_get_slot_value(device, UInt32(slot), UInt32(code))) }
            }
            take(absolute, UInt32(ABS_MT_SLOT), max(0, libevdev_get_current_slot(device)))
        case .single(let button, let tools):
            takeSingle([ABS_X, ABS_Y], tools.sorted() + [button])
        case .relative(let button):
            takeSingle([], [button])
        }
    }
}

extension DeviceCapabilities {
    /// Reads the capabilities from libevdev.
    fileprivate init(_ device: OpaquePointer) {
        func codes(_ type: Int32, upTo last: Int32) -> [Int32] {
            (0...last).filter { libevdev_has_event_code(device, UInt32(type), UInt32($0)) != 0 }
        }
        let axes = codes(EV_ABS, upTo: ABS_MAX).map { code in
            let (least, most) = (libevdev_get_abs_minimum(device, UInt32(code)), libevdev_get_abs_maximum(device, UInt32(code)))
            return (code, min(least, most)...max(least, most))
        }
        self.init(keys: Set(codes(EV_KEY, upTo: KEY_MAX)), axes: Dictionary(uniqueKeysWithValues: axes),
                  motions: Set(codes(EV_REL, upTo: REL_MAX)), switches: Set(codes(EV_SW, upTo: SW_MAX)),
                  properties: Set((0...INPUT_PROP_MAX).filter { libevdev_has_property(device, UInt32($0)) != 0 }),
                  slots: Int(max(0, libevdev_get_num_slots(device))))
    }
}

/// The properties that distinguish an input device from others.
public struct DeviceIdentity: Equatable, Sendable {
    /// The node's path, for instance `/dev/input/event3`. After a restart another device may have it.
    public var node: String
    /// The names of the links to the node in /dev/input/by-path. They say where the device is plugged in.
    public var paths: [String] = []
    public var name: String
    /// The driver's text for where the device is plugged in; empty if it has none.
    public var phys = ""
    public var vendor: UInt16 = 0
    public var product: UInt16 = 0

    /// The numbers of vendor and product as lsusb prints them, for instance `0eef:0001`.
    public var number: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(product) }

    private static func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
