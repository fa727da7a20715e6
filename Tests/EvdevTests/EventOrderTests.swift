import CEvdev
import Signals
import Testing
@testable import Evdev

/// Events in every order, of devices with every set of axes: a million packets. What is down is compared with a model of protocol B that is
/// written down here once more, and with what every protocol promises: who has let go is not down.
@Suite struct EventOrderTests {
    struct Axes: Sendable {
        var name: String
        var capabilities: DeviceCapabilities
        var kind: TouchRule.Kind
        var frames: Int
    }

    /// Of multitouch, each with every set of the axes that may be missing.
    static let all: [Axes] = {
        let optional: [[Int32: ClosedRange<Int32>]] = [[:], [ABS_MT_DISTANCE: 0...10], [ABS_MT_TOOL_TYPE: 0...2],
                                                       [ABS_MT_DISTANCE: 0...1, ABS_MT_TOOL_TYPE: 0...15]]
        let positions: [Int32: ClosedRange<Int32>] = [ABS_MT_POSITION_X: 0...799, ABS_MT_POSITION_Y: -10...479]
        let plane: [Int32: ClosedRange<Int32>] = [ABS_X: 0...799, ABS_Y: 0...479]
        let several = optional.flatMap { more -> [Axes] in
            func axes(_ name: String, _ own: [Int32: ClosedRange<Int32>], slots: Int = 0) -> Axes {
                Axes(name: "\(name) with \(more.keys.sorted())", capabilities: DeviceCapabilities(
                    keys: [BTN_TOUCH], axes: positions.merging(own) { $1 }.merging(more) { $1 }, properties: [INPUT_PROP_DIRECT],
                    slots: slots),
                     kind: .touch, frames: 75_000)
            }
            return [axes("protocol B", [ABS_MT_SLOT: 0...3, ABS_MT_TRACKING_ID: 0...65_535], slots: 4),
                    axes("protocol A with ids", [ABS_MT_TRACKING_ID: 0...255]), axes("protocol A", [:])]
        }
        return several + [
            Axes(name: "one finger", capabilities: DeviceCapabilities(keys: [BTN_TOUCH], axes: plane), kind: .touch, frames: 30_000),
            Axes(name: "a pen", capabilities: DeviceCapabilities(keys: [BTN_TOUCH, BTN_TOOL_PEN, BTN_TOOL_RUBBER], axes: plane), kind: .pen,
                 frames: 30_000),
            Axes(name: "an absolute pointer", capabilities: DeviceCapabilities(keys: [BTN_LEFT], axes: plane), kind: .mouse,
                 frames: 20_000),
            Axes(name: "a mouse", capabilities: DeviceCapabilities(keys: [BTN_LEFT], motions: [REL_X, REL_Y]), kind: .mouse,
                 frames: 20_000),
        ]
    }()

    /// A slot of protocol B as the kernel's documentation has it: a contact is there while its id is not −1.
    private struct Model {
        private var ids: [Int: Int32] = [:]
        private var distances: [Int: Int32] = [:]
        private var tools: [Int: Int32] = [:]
        private var palms: Set<Int> = []
        private var current = 0

        mutating func take(_ code: Int32, _ value: Int32) {
            switch code {
            case ABS_MT_SLOT: current = Int(value)
            case ABS_MT_TRACKING_ID where (0..<4).contains(current):
                if ids[current] != max(-1, value) { palms.remove(current) }
                ids[current] = max(-1, value)
            case ABS_MT_DISTANCE: distances[current] = value
            case ABS_MT_TOOL_TYPE: tools[current] = value
            default: break
            }
        }

        mutating func down() -> Set<Int> {
            for slot in 0..<4 where ids[slot] ?? -1 >= 0 && tools[slot] == 2 { palms.insert(slot) }
            return Set((0..<4).filter { ids[$0] ?? -1 >= 0 && distances[$0] ?? 0 <= 0 && !palms.contains($0) })
        }
    }

    @Test func `a million packets are played`() { #expect(Self.all.reduce(0) { $0 + $1.frames } == 1_000_000) }

    @Test(arguments: all.indices) func `no order of events leaves a finger down that has left`(index: Int) throws {
        let axes = Self.all[index]
        var chance = Chance(state: UInt64(index) + 1)
        var tracker = try #require(axes.capabilities.contacts(as: axes.kind))
        let isSlotted = axes.capabilities.slots > 0
        var translator: SlotTranslator?
        if axes.capabilities.isProtocolA {
            let made: SlotTranslator = try #require(SlotTranslator(axes.capabilities))
            translator = made
        }
        var model = Model()
        var down: Set<Int> = []
        func play(_ events: [(type: Int32, code: Int32, value: Int32)]) -> String? {
            for event in events {
                if event.type == EV_ABS, isSlotted { model.take(event.code, event.value) }
                if let translator {
                    translator.take(input_event(event))
                } else {
                    tracker.take(type: UInt32(event.type), code: UInt32(event.code), value: event.value)
                }
            }
            translator?.report { tracker.take(type: $0, code: $1, value: $2) }
            for change in tracker.report() {
                let isPlaced = [change.x, change.y].allSatisfy { $0.map { (0...1).contains($0) } ?? (change.phase == .ended) }
                guard isPlaced else { return "\(change) is nowhere" }
                switch change.phase {
                case .began: guard down.insert(change.finger).inserted else { return "\(change), which is down already" }
                case .moved: guard down.contains(change.finger) else { return "\(change), which is not down" }
                case .ended: guard down.remove(change.finger) != nil else { return "\(change), which is not down" }
                }
            }
            return !isSlotted || down == model.down() ? nil : "down are \(down), and should be \(model.down())"
        }
        let codes = Self.codes(axes.capabilities)
        let leaving = Self.leaving(axes.capabilities)
        for frame in 0..<axes.frames {
            let isLast = frame % 100 == 99
            let events = isLast ? leaving : (0..<chance.next(9)).map { _ in Self.event(codes[chance.next(codes.count)], &chance) }
            if let fault = play(events) {
                Issue.record("\(axes.name), packet \(frame): \(fault), after \(events)")
                return
            }
            if isLast, !down.isEmpty {
                Issue.record("\(axes.name), packet \(frame): everybody has left, and down are \(down)")
                return
            }
        }
        #expect(tracker.release().isEmpty)
    }

    /// Everybody leaves, as the device would say it.
    private static func leaving(_ capabilities: DeviceCapabilities) -> [(type: Int32, code: Int32, value: Int32)] {
        let buttons = capabilities.keys.sorted().map { (type: EV_KEY, code: $0, value: Int32(0)) }
        if capabilities.isProtocolA { return buttons + [(EV_SYN, SYN_MT_REPORT, 0)] }
        return buttons + (0..<Int32(capabilities.slots)).flatMap { slot -> [(type: Int32, code: Int32, value: Int32)] in
            [(EV_ABS, ABS_MT_SLOT, slot), (EV_ABS, ABS_MT_TRACKING_ID, -1)]
        }
    }

    /// Types and codes that the device has, and some that it has not.
    private static func codes(_ capabilities: DeviceCapabilities) -> [(type: Int32, code: Int32)] {
        let own = capabilities.axes.keys.sorted().map { (EV_ABS, $0) } + capabilities.keys.sorted().map { (EV_KEY, $0) }
            + capabilities.motions.sorted().map { (EV_REL, $0) }
        let ends = capabilities.isProtocolA ? Array(repeating: (EV_SYN, SYN_MT_REPORT), count: 3) : []
        return own + own + ends + [(EV_ABS, ABS_PRESSURE), (EV_KEY, BTN_TOOL_FINGER), (EV_MSC, MSC_SCAN)]
    }

    /// Values that devices send as a rule, and now and then any.
    private static func event(_ code: (type: Int32, code: Int32), _ chance: inout Chance) -> (type: Int32, code: Int32, value: Int32) {
        let isAny = chance.next(50) == 0
        let usual: Int32 = switch (code.type, code.code) {
        case (EV_ABS, ABS_MT_SLOT): Int32(chance.next(5)) - (chance.next(20) == 0 ? 1 : 0)
        case (EV_ABS, ABS_MT_TRACKING_ID): Int32(chance.next(6)) - 1
        case (EV_ABS, ABS_MT_DISTANCE), (EV_ABS, ABS_MT_TOOL_TYPE): Int32(chance.next(3))
        case (EV_KEY, _): Int32(chance.next(3))
        default: Int32(chance.next(800))
        }
        return (code.type, code.code, isAny ? Int32(truncatingIfNeeded: chance.bits()) : usual)
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers on every run.
private struct Chance {
    var state: UInt64

    mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func next(_ count: Int) -> Int { Int(bits() % UInt64(count)) }
}

extension input_event {
    fileprivate init(_ event: (type: Int32, code: Int32, value: Int32)) {
        self.init()
        type = UInt16(event.type)
        code = UInt16(event.code)
        value = event.value
    }
}
