import CUinput
import Foundation
import TestSupport

/// An input device of our own making, which the kernel takes for hardware (uinput). Unplugged when nobody holds it any more.
final class VirtualDevice: Sendable {
    let descriptor: Int32
    /// In /dev/input.
    let node: String

    struct Axis {
        var code: Int32
        var range: ClosedRange<Int32>
    }

    init(_ name: String, phys: String = "", keys: [Int32] = [], axes: [Axis] = [], motions: [Int32] = [], properties: [Int32] = [],
         forces: [Int32] = [], switches: [Int32] = [], effects: Int32 = 0) throws {
        let descriptor = open("/dev/uinput", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Refused(description: "/dev/uinput: \(String(cString: strerror(errno)))") }
        func declare(_ type: Int32, _ codes: [Int32]) {
            if !codes.isEmpty { _ = uinput_set_type(descriptor, type) }
            for code in codes { _ = uinput_set(descriptor, type, code) }
        }
        declare(EV_KEY, keys)
        declare(EV_REL, motions)
        declare(EV_FF, forces)
        declare(EV_SW, switches)
        for property in properties { _ = uinput_set_property(descriptor, property) }
        if !axes.isEmpty { _ = uinput_set_type(descriptor, EV_ABS) }
        for axis in axes { _ = uinput_set_axis(descriptor, axis.code, axis.range.lowerBound, axis.range.upperBound) }
        if !phys.isEmpty { _ = uinput_set_place(descriptor, phys) }
        var bytes = [CChar](repeating: 0, count: 64)
        guard uinput_create(descriptor, name, 0x1209, 0x7468, effects) == 0, uinput_name(descriptor, &bytes) >= 0 else {
            throw Refused(description: "\(name): \(String(cString: strerror(errno)))")
        }
        let folder = "/sys/devices/virtual/input/" + String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        guard let event = try FileManager.default.contentsOfDirectory(atPath: folder).first(where: { $0.hasPrefix("event") }) else {
            throw Refused(description: "\(name) has no event node")
        }
        self.descriptor = descriptor
        node = "/dev/input/" + event
    }

    deinit { close(descriptor) }

    func unplug() { _ = uinput_destroy(descriptor) }

    /// One packet, with its end. Returns its kernel time, to within what writing it took.
    @discardableResult
    func emit(_ events: [(type: Int32, code: Int32, value: Int32)]) -> Int64 {
        var packet = (events + [(EV_SYN, SYN_REPORT, 0)]).map { event in
            var raw = input_event()
            raw.type = UInt16(event.type)
            raw.code = UInt16(event.code)
            raw.value = event.value
            return raw
        }
        let moment = now()
        write(descriptor, &packet, packet.count * MemoryLayout<input_event>.stride)
        return moment
    }
}

struct Refused: Error, CustomStringConvertible {
    var description: String
}

/// CLOCK_MONOTONIC in nanoseconds, by which the kernel stamps events.
func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// A touchscreen of 1,000 × 1,000 points.
struct VirtualScreen {
    let device: VirtualDevice
    private let isMultitouch: Bool

    /// Multitouch protocol B with so many slots.
    init(_ name: String = "Test Screen", phys: String = "", slots: Int32 = 10) throws {
        let range: ClosedRange<Int32> = 0...1_000
        isMultitouch = true
        device = try VirtualDevice(name, phys: phys, keys: [BTN_TOUCH], axes: [
            .init(code: ABS_X, range: range), .init(code: ABS_Y, range: range),
            .init(code: ABS_MT_SLOT, range: 0...(slots - 1)), .init(code: ABS_MT_TRACKING_ID, range: 0...65_535),
            .init(code: ABS_MT_POSITION_X, range: range), .init(code: ABS_MT_POSITION_Y, range: range),
        ], properties: [INPUT_PROP_DIRECT])
    }

    /// One contact.
    init(singleTouch name: String) throws {
        isMultitouch = false
        device = try VirtualDevice(name, keys: [BTN_TOUCH], axes: [
            .init(code: ABS_X, range: 0...1_000), .init(code: ABS_Y, range: 0...1_000),
        ], properties: [INPUT_PROP_DIRECT])
    }

    /// Finger `id` comes down in a slot.
    @discardableResult
    func down(_ slot: Int32 = 0, id: Int32 = 1, x: Int32 = 500, y: Int32 = 500) -> Int64 {
        isMultitouch
            ? device.emit([(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, id), (EV_ABS, ABS_MT_POSITION_X, x),
                           (EV_ABS, ABS_MT_POSITION_Y, y), (EV_KEY, BTN_TOUCH, 1)])
            : device.emit([(EV_KEY, BTN_TOUCH, 1), (EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y)])
    }

    @discardableResult
    func move(_ slot: Int32 = 0, x: Int32 = 500, y: Int32) -> Int64 {
        isMultitouch
            ? device.emit([(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, y)])
            : device.emit([(EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y)])
    }

    @discardableResult
    func up(_ slot: Int32 = 0) -> Int64 {
        isMultitouch ? device.emit([(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, -1)])
            : device.emit([(EV_KEY, BTN_TOUCH, 0)])
    }
}
