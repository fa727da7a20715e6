import CEvdev
import Testing
@testable import Evdev

/// By libmtdev itself. Frames as the kernel's documentation has them (Documentation/input/multi-touch-protocol.rst, protocol A).
@Suite struct SlotTranslatorTests {
    /// A screen of 800 × 480 places, of protocol A.
    struct Screen {
        private let translator: SlotTranslator
        private var tracker: ContactTracker

        init(axes: [Int32: ClosedRange<Int32>] = [:]) throws {
            let capabilities = DeviceCapabilities(
                keys: [BTN_TOUCH], axes: [ABS_MT_POSITION_X: 0...800, ABS_MT_POSITION_Y: 0...480].merging(axes) { $1 },
                properties: [INPUT_PROP_DIRECT])
            #expect(capabilities.isProtocolA)
            translator = try #require(SlotTranslator(capabilities))
            tracker = try #require(capabilities.contacts(as: .touch))
        }

        func take(_ events: [(type: Int32, code: Int32, value: Int32)]) {
            for event in events {
                var raw = input_event()
                raw.type = UInt16(event.type)
                raw.code = UInt16(event.code)
                raw.value = event.value
                translator.take(raw)
            }
        }

        mutating func frame(_ events: [(type: Int32, code: Int32, value: Int32)]) -> [ContactTracker.Change] {
            take(events)
            translator.report { tracker.take(type: $0, code: $1, value: $2) }
            return tracker.report()
        }

        /// One contact of a frame.
        func contact(id: Int32? = nil, _ x: Int32, _ y: Int32) -> [(type: Int32, code: Int32, value: Int32)] {
            (id.map { [(EV_ABS, ABS_MT_TRACKING_ID, $0)] } ?? [])
                + [(EV_ABS, ABS_MT_POSITION_X, x), (EV_ABS, ABS_MT_POSITION_Y, y), (EV_SYN, SYN_MT_REPORT, 0)]
        }

        func drop(isDown: Bool) { translator.drop(isDown: isDown) }
    }

    @Test func `a finger comes, moves and leaves with an empty frame`() throws {
        var screen = try Screen(axes: [ABS_MT_TRACKING_ID: 0...255])
        #expect(screen.frame([(EV_KEY, BTN_TOUCH, 1)] + screen.contact(id: 0, 400, 360))
            == [.init(phase: .began, finger: 0, x: 0.5, y: 0.75)])
        #expect(screen.frame(screen.contact(id: 0, 400, 120)) == [.init(phase: .moved, finger: 0, x: 0.5, y: 0.25)])
        #expect(screen.frame([(EV_KEY, BTN_TOUCH, 0), (EV_SYN, SYN_MT_REPORT, 0)]) == [.init(phase: .ended, finger: 0, x: 0.5, y: 0.25)])
    }

    @Test func `fingers without ids are told apart by the nearest places, in whatever order a frame has them`() throws {
        var screen = try Screen()
        #expect(screen.frame(screen.contact(100, 100) + screen.contact(700, 400)).map(\.phase) == [.began, .began])
        let moved = screen.frame(screen.contact(690, 390) + screen.contact(110, 110))
        #expect(Set(moved.compactMap(\.x)) == [110.0 / 800, 690.0 / 800] && moved.allSatisfy { $0.phase == .moved })
        let first = try #require(moved.first { $0.x == 110.0 / 800 }).finger
        let changes = screen.frame(screen.contact(680, 380))
        #expect(changes.first { $0.phase == .ended }?.finger == first && changes.count == 2)
        #expect(screen.frame([(EV_SYN, SYN_MT_REPORT, 0)]).map(\.phase) == [.ended])
    }

    @Test func `the last finger leaves by the button alone, and a packet without a word about fingers changes nothing`() throws {
        var screen = try Screen()
        #expect(screen.frame([(EV_KEY, BTN_TOUCH, 1)] + screen.contact(100, 100)).map(\.phase) == [.began])
        #expect(screen.frame([(EV_ABS, ABS_X, 7)]) == [])
        #expect(screen.frame([(EV_KEY, BTN_TOUCH, 0)]).map(\.phase) == [.ended])
    }

    @Test func `what the kernel dropped in mid-packet does not count, and no finger stays down`() throws {
        var screen = try Screen()
        #expect(screen.frame(screen.contact(100, 100)).map(\.phase) == [.began])
        screen.take(screen.contact(500, 100))
        screen.drop(isDown: true)
        #expect(screen.frame([]) == [])
        #expect(screen.frame(screen.contact(110, 100)).map(\.phase) == [.moved])
        screen.take(screen.contact(500, 100))
        screen.drop(isDown: false)
        #expect(screen.frame([]).map(\.phase) == [.ended])
    }

    @Test func `a contact of protocol A may hover, or be a palm`() throws {
        var screen = try Screen(axes: [ABS_MT_DISTANCE: 0...10, ABS_MT_TOOL_TYPE: 0...2])
        #expect(screen.frame([(EV_ABS, ABS_MT_DISTANCE, 3)] + screen.contact(100, 100)) == [])
        #expect(screen.frame([(EV_ABS, ABS_MT_DISTANCE, 0)] + screen.contact(100, 100)).map(\.phase) == [.began])
        #expect(screen.frame([(EV_ABS, ABS_MT_TOOL_TYPE, 2)] + screen.contact(100, 100)) == [.init(phase: .ended, finger: 0)])
    }
}
