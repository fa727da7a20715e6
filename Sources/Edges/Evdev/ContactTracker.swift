import CEvdev
import Signals

/// A device's events put together to fingers: multitouch protocol B (Linux, Documentation/input/multi-touch-protocol.rst), or
/// one contact with a button.
///
/// Pure: what comes in are the kernel's types, codes and values; what comes out at the end of a packet are changes.
struct ContactTracker {
    enum Style: Equatable {
        case multitouch
        /// Down while this button is: BTN_TOUCH, or BTN_LEFT of a mouse.
        case single(button: UInt32)
        /// The same, where only motion is told, not position.
        case relative(button: UInt32)
    }

    struct Change: Equatable {
        var phase: Touch.Phase
        /// The slot.
        var finger: Int
        /// Parts of the sensor's width and height.
        var x: Double
        var y: Double
    }

    private struct Slot {
        /// The finger's in it, by which the kernel tells it from the next; nil if there is none.
        var id: Int32?
        var x = 0.5
        var y = 0.5
        var hasMoved = false
        /// Since the last packet: whether the finger that was there ended, and where, and whether another began. A slot may be let
        /// go and taken again within one.
        var end: (x: Double, y: Double)?
        var hasBegun = false
    }

    let style: Style
    private let width: ClosedRange<Int32>
    private let height: ClosedRange<Int32>
    private var slots: [Slot]
    private var current = 0

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
        case (.single, EV_ABS, ABS_X): move(0, x: part(value, width))
        case (.single, EV_ABS, ABS_Y): move(0, y: part(value, height))
        case (.relative, EV_REL, REL_X): move(0, x: slots[0].x + Double(value) / Self.span)
        case (.relative, EV_REL, REL_Y): move(0, y: slots[0].y + Double(value) / Self.span)
        case (.single(let button), EV_KEY, _) where code == button, (.relative(let button), EV_KEY, _) where code == button:
            // A mouse button that is held repeats nothing; a value of 2 would.
            if value == 1 || value == 0 { press(0, value == 1 ? 0 : nil) }
        default: break
        }
    }

    /// A packet is complete: what has changed by it.
    mutating func report() -> [Change] {
        var changes: [Change] = []
        for index in slots.indices {
            let slot = slots[index]
            if let end = slot.end { changes.append(Change(phase: .ended, finger: index, x: end.x, y: end.y)) }
            if slot.hasBegun || (slot.hasMoved && slot.id != nil) {
                changes.append(Change(phase: slot.hasBegun ? .began : .moved, finger: index, x: slot.x, y: slot.y))
            }
            // One that came and went within a packet.
            if slot.hasBegun, slot.id == nil { changes.append(Change(phase: .ended, finger: index, x: slot.x, y: slot.y)) }
            slots[index].end = nil
            slots[index].hasBegun = false
            slots[index].hasMoved = false
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
        if slots[index].id != nil, !slots[index].hasBegun { slots[index].end = (slots[index].x, slots[index].y) }
        if id != nil { slots[index].hasBegun = true }
        slots[index].id = id
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
