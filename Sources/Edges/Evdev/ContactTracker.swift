import CEvdev
import Signals

/// A device's events put together to fingers: multitouch protocol B (Linux, Documentation/input/multi-touch-protocol.rst), or
/// one contact with a button.
///
/// Pure: what comes in are the kernel's types, codes and values; what comes out at the end of a packet are changes.
struct ContactTracker {
    enum Style: Equatable {
        case multitouch
        /// Down while this button is (BTN_TOUCH, or BTN_LEFT of a mouse) and, if there are any, one of these tools is near.
        case single(button: UInt32, tools: Set<UInt32> = [])
        /// The same, where only motion is told, not position.
        case relative(button: UInt32)
    }

    struct Change: Equatable {
        var phase: Touch.Phase
        /// The slot.
        var finger: Int
        /// Parts of the sensor's width and height; nil if the finger was taken away, so that no gesture comes of it.
        var x: Double?
        var y: Double?
    }

    private struct Slot {
        /// The contact's in it, by which the kernel tells it from the next; nil if there is none.
        var id: Int32?
        var x = 0.5
        var y = 0.5
        /// ABS_MT_DISTANCE: a contact that hovers is no finger yet. Kept by the kernel from one contact to the next.
        var distance: Int32 = 0
        /// ABS_MT_TOOL_TYPE, kept likewise.
        var tool: Int32 = 0
        /// Whether this contact was once a palm: it is no finger any more.
        var isPalm = false
        /// Whether a finger is down, as was told last.
        var isDown = false
        var hasMoved = false
        /// Of this packet, by contacts that have left: a slot may be let go and taken again within one.
        var changes: [Change] = []

        private var isTouching: Bool { id != nil && distance <= 0 && !isPalm && tool != ContactTracker.palm }

        /// The contact leaves.
        mutating func lift(_ finger: Int) {
            guard id != nil else { return }
            // One that came and went within a packet.
            if !isDown, isTouching { tell(.began, finger) }
            if isDown { end(finger) }
            id = nil
            isPalm = false
        }

        /// The packet is complete.
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
    /// Of a single contact: whether its button is pressed, and which of its tools are near.
    private var isPressed = false
    private var tools: Set<UInt32> = []

    /// MT_TOOL_PALM, a value of ABS_MT_TOOL_TYPE.
    private static let palm: Int32 = 2

    /// Counts of a mouse that crosses the whole screen.
    private static let span = 2_000.0
    /// How many places the sensor tells apart across and down.
    var resolution: (width: Int, height: Int) { (Int(width.upperBound) - Int(width.lowerBound) + 1,
                                                 Int(height.upperBound) - Int(height.lowerBound) + 1) }

    /// More than any screen has; a driver that says otherwise is not believed.
    static let mostSlots = 64

    /// `width` and `height` are what the positions run through.
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
            // A mouse button that is held repeats nothing; a value of 2 would.
            if value == 1 || value == 0 { isPressed = value == 1 }
            pressSingle()
        case (.single(_, let tools), EV_KEY, _) where tools.contains(code):
            if value == 0 { self.tools.remove(code) } else { self.tools.insert(code) }
            pressSingle()
        default: break
        }
    }

    /// A packet is complete: what has changed by it.
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

    /// The device is gone, and with it whoever touched it.
    mutating func release() -> [Change] {
        for index in slots.indices { press(index, nil) }
        return report()
    }

    private mutating func press(_ index: Int, _ id: Int32?) {
        guard slots.indices.contains(index), slots[index].id != id else { return }
        // Also when another finger takes the slot without a word about the first.
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
