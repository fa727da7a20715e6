import CEvdev
import CMtdev
import Signals

/// Makes fingers out of a device's events. The device uses multitouch protocol B (Linux, Documentation/input/multi-touch-protocol.rst), or
/// has a single contact with a button.
///
/// Pure: takes the types, codes and values of the kernel's events, and returns the changes of fingers at the end of each packet.
struct ContactTracker {
    enum Style: Equatable {
        case multitouch
        /// One contact. It is down while `button` is pressed (BTN_TOUCH, or BTN_LEFT of a mouse) and, unless `tools` is empty, one of these
        /// tools is near.
        case single(button: UInt32, tools: Set<UInt32> = [])
        /// One contact of a device that reports motion instead of positions.
        case relative(button: UInt32)
    }

    struct Change: Equatable {
        var phase: Touch.Phase
        /// The number of the slot in which the finger is.
        var finger: Int
        /// The position as a fraction of the sensor's width, 0 to 1. Like `y`, it is nil if a finger turned out to be a palm, so that its
        /// end completes no gesture.
        var x: Double?
        var y: Double?
    }

    private struct Slot {
        /// The kernel's tracking id of the contact in the slot; nil if there is none.
        var id: Int32?
        var x = 0.5
        var y = 0.5
        /// The value of ABS_MT_DISTANCE: a contact that hovers is no finger yet. The kernel keeps the value for the slot's next contact.
        var distance: Int32 = 0
        /// The value of ABS_MT_TOOL_TYPE. The kernel keeps it, too, for the slot's next contact.
        var tool: Int32 = 0
        /// Whether this contact was a palm at any time. It cannot become a finger any more.
        var isPalm = false
        /// Whether the finger was last reported as down.
        var isDown = false
        var hasMoved = false
        /// The changes in this packet. There are several if the slot was left and taken again within the packet.
        var changes: [Change] = []

        private var isTouching: Bool { id != nil && distance <= 0 && !isPalm && tool != ContactTracker.palm }

        /// Ends the contact in the slot, whose number is `finger`.
        mutating func lift(_ finger: Int) {
            guard id != nil else { return }
            // A contact that came and went within one packet is reported, too.
            if !isDown, isTouching { tell(.began, finger) }
            if isDown { end(finger) }
            id = nil
            isPalm = false
        }

        /// Adds to `changes` what has changed in the slot, whose number is `finger`, by the end of a packet.
        mutating func settle(_ finger: Int) {
            if isTouching {
                if !isDown { tell(.began, finger) } else if hasMoved { tell(.moved, finger) }
            } else if isDown {
                end(finger)
            }
            isPalm = id != nil && (isPalm || tool == ContactTracker.palm)
            hasMoved = false
        }

        private mutating func end(_ finger: Int) {
            if tool == ContactTracker.palm {
                changes.append(Change(phase: .ended, finger: finger))
                isDown = false
            } else {
                tell(.ended, finger)
            }
        }

        private mutating func tell(_ phase: Touch.Phase, _ finger: Int) {
            changes.append(Change(phase: phase, finger: finger, x: x, y: y))
            isDown = phase != .ended
        }
    }

    let style: Style
    private let width: ClosedRange<Int32>
    private let height: ClosedRange<Int32>
    private var slots: [Slot]
    private var current = 0
    /// Whether the button of a single contact is pressed; `tools` holds the tools that are near.
    private var isPressed = false
    private var tools: Set<UInt32> = []

    /// The value MT_TOOL_PALM of ABS_MT_TOOL_TYPE.
    private static let palm: Int32 = 2

    /// The counts of motion by which a mouse crosses the whole screen.
    private static let span = 2_000.0
    /// The number of positions that the sensor distinguishes across and down.
    var resolution: (width: Int, height: Int) { (Int(width.upperBound) - Int(width.lowerBound) + 1,
                                                 Int(height.upperBound) - Int(height.lowerBound) + 1) }

    /// The largest number of slots, more than any screen has. It bounds what a faulty driver may claim.
    static let mostSlots = 64

    /// Makes a tracker for a device that is read in the style `style`, with `count` slots, of which at most `mostSlots` are used. `width`
    /// and `height` are the ranges of the positions' raw values.
    init(_ style: Style, slots count: Int = 1, width: ClosedRange<Int32>, height: ClosedRange<Int32>) {
        self.style = style
        self.width = width
        self.height = height
        slots = Array(repeating: Slot(), count: max(1, min(Self.mostSlots, count)))
    }

    mutating func take(type: UInt32, code: UInt32, value: Int32) {
        switch (style, Int32(type), Int32(code)) {
        case (.multitouch, EV_ABS, ABS_MT_SLOT): current = Int(value)
        case (.multitouch, EV_ABS, ABS_MT_TRACKING_ID): press(current, value >= 0 ? value : nil)
        case (.multitouch, EV_ABS, ABS_MT_POSITION_X): move(current, x: part(value, width))
        case (.multitouch, EV_ABS, ABS_MT_POSITION_Y): move(current, y: part(value, height))
        case (.multitouch, EV_ABS, ABS_MT_DISTANCE) where slots.indices.contains(current): slots[current].distance = value
        case (.multitouch, EV_ABS, ABS_MT_TOOL_TYPE) where slots.indices.contains(current): slots[current].tool = value
        case (.single, EV_ABS, ABS_X): move(0, x: part(value, width))
        case (.single, EV_ABS, ABS_Y): move(0, y: part(value, height))
        case (.relative, EV_REL, REL_X): move(0, x: slots[0].x + Double(value) / Self.span)
        case (.relative, EV_REL, REL_Y): move(0, y: slots[0].y + Double(value) / Self.span)
        case (.single(let button, _), EV_KEY, _) where code == button, (.relative(let button), EV_KEY, _) where code == button:
            // The value 2, an automatic repetition of a held button, is ignored.
            if value == 1 || value == 0 { isPressed = value == 1 }
            pressSingle()
        case (.single(_, let tools), EV_KEY, _) where tools.contains(code):
            if value == 0 { self.tools.remove(code) } else { self.tools.insert(code) }
            pressSingle()
        default: break
        }
    }

    /// Ends a packet. Returns the changes in it.
    mutating func report() -> [Change] {
        var changes: [Change] = []
        for index in slots.indices {
            slots[index].settle(index)
            guard !slots[index].changes.isEmpty else { continue }
            changes += slots[index].changes
            slots[index].changes = []
        }
        return changes
    }

    /// Ends all contacts, because the device is gone. Returns the changes.
    mutating func release() -> [Change] {
        for index in slots.indices { press(index, nil) }
        return report()
    }

    private mutating func press(_ index: Int, _ id: Int32?) {
        guard slots.indices.contains(index), slots[index].id != id else { return }
        // The slot's old contact also ends when another one takes the slot without an event in between.
        slots[index].lift(index)
        slots[index].id = id
    }

    private mutating func pressSingle() {
        if case .single(_, let wanted) = style, !wanted.isEmpty, tools.isEmpty { return press(0, nil) }
        press(0, isPressed ? 0 : nil)
    }

    private mutating func move(_ index: Int, x: Double? = nil, y: Double? = nil) {
        guard slots.indices.contains(index) else { return }
        if let x { slots[index].x = max(0, min(1, x)) }
        if let y { slots[index].y = max(0, min(1, y)) }
        slots[index].hasMoved = true
    }

    private func part(_ value: Int32, _ range: ClosedRange<Int32>) -> Double {
        (Double(value) - Double(range.lowerBound)) / max(1, Double(range.upperBound) - Double(range.lowerBound))
    }
}

/// Translates multitouch protocol A, which does not say which finger is which, into protocol B. libmtdev tells fingers apart by the
/// device's own ids, or else by the nearest positions. Thread: one at a time.
final class SlotTranslator {
    private let device: UnsafeMutablePointer<mtdev>
    /// The packet so far. It is translated when it is complete, so that a packet that is cut short has no effect.
    private var packet: [input_event] = []

    /// The largest number of events in a packet, because libmtdev has no room for more. Further events are ignored.
    private static let longestPacket = 120

    /// Makes a translator; nil if there is no memory for it.
    init?(_ capabilities: DeviceCapabilities) {
        guard let device = mtdev_new() else { return nil }
        guard mtdev_init(device) == 0 else {
            mtdev_delete(device)
            return nil
        }
        for (code, range) in capabilities.axes where code > ABS_MT_SLOT {
            mtdev_set_mt_event(device, code, 1)
            mtdev_set_abs_minimum(device, code, range.lowerBound)
            mtdev_set_abs_maximum(device, code, range.upperBound)
        }
        self.device = device
    }

    deinit { mtdev_close_delete(device) }

    /// Takes an event other than the end of a packet.
    func take(_ event: input_event) {
        if packet.count < Self.longestPacket { packet.append(event) }
    }

    /// Ends the packet: passes the events of protocol B with the same meaning to `take`.
    func report(_ take: (_ type: UInt32, _ code: UInt32, _ value: Int32) -> Void) {
        if isRelease { packet.append(Self.event(SYN_MT_REPORT)) }
        // In protocol A, an empty report means that no finger is down. So a packet without events about fingers is not translated as one.
        if packet.contains(where: Self.isOfFingers) { packet.append(Self.event(SYN_REPORT)) }
        for event in packet {
            withUnsafePointer(to: event) { mtdev_put_event(device, $0) }
            while mtdev_empty(device) == 0 {
                var event = input_event()
                mtdev_get_event(device, &event)
                take(UInt32(event.type), UInt32(event.code), event.value)
            }
        }
        packet.removeAll(keepingCapacity: true)
    }

    /// Discards the packet so far, because the rest of the packet was lost. If `isDown` is false, no finger touches the device any more,
    /// and the next report ends all fingers.
    func drop(isDown: Bool) {
        packet.removeAll(keepingCapacity: true)
        if !isDown { packet.append(Self.event(SYN_MT_REPORT)) }
    }

    /// Whether the packet reports by the button alone that the last finger has left, as some drivers do.
    private var isRelease: Bool {
        packet.contains { $0.type == UInt16(EV_KEY) && $0.code == UInt16(BTN_TOUCH) && $0.value == 0 }
            && !packet.contains(where: Self.isOfFingers)
    }

    private static func isOfFingers(_ event: input_event) -> Bool {
        event.type == UInt16(EV_SYN) || (event.type == UInt16(EV_ABS) && event.code > UInt16(ABS_MT_SLOT))
    }

    private static func event(_ code: Int32) -> input_event {
        var event = input_event()
        event.type = UInt16(EV_SYN)
        event.code = UInt16(code)
        return event
    }
}
