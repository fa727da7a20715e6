import Foundation
import Signals
import TestSupport
import Testing

@testable import Evdev
@testable import Live

/// Gestures of Tests/Fixtures/gestures.json by both ways in: as a touchscreen's kernel events, and as a page's reports. What pages report of
/// them is in touch.test.mjs, from the same file.
@Suite struct GestureWaysTests {
    private struct File: Decodable {
        var gestures: [Gesture]
    }

    private struct Gesture: Decodable {
        var name: String
        var makes: [String]
        var steps: [Step]
    }

    /// A list of milliseconds, finger, phase, and the place in thousandths of the screen.
    private struct Step: Decodable {
        var moment: Int64
        var finger: Int
        var phase: Touch.Phase
        var x: Int32
        var y: Int32

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            moment = try list.decode(Int64.self) * 1_000_000
            finger = try list.decode(Int.self)
            phase = try #require(Touch.Phase(rawValue: try list.decode(String.self)))
            x = try list.decode(Int32.self)
            y = try list.decode(Int32.self)
        }
    }

    /// Each with its moment: what the journal has of it, but for the source.
    private struct Told: Equatable {
        var moment: Int64
        var kind: EventKind
    }

    /// By codes of linux/input-event-codes.h: EV_ABS with ABS_MT_SLOT, ABS_MT_TRACKING_ID, ABS_MT_POSITION_X and _Y.
    private func byTouchscreen(_ gesture: Gesture) -> [Told] {
        var tracker = ContactTracker(.multitouch, slots: 4, width: 0...1_000, height: 0...1_000)
        var intake = TouchIntake()
        return gesture.steps.flatMap { step -> [Told] in
            func take(_ code: UInt32, _ value: Int32) { tracker.take(type: 0x03, code: code, value: value) }
            take(0x2F, Int32(step.finger))
            if step.phase == .began { take(0x39, Int32(step.finger) + 100) }
            take(0x35, step.x)
            take(0x36, step.y)
            if step.phase == .ended { take(0x39, -1) }
            let touches = tracker.report().map { Touch($0.phase, finger: $0.finger, x: $0.x, y: $0.y) }
            return intake.kinds(TouchReport(screen: 1, moment: step.moment, touches: touches), withGestures: true)
                .map { Told(moment: step.moment, kind: $0) }
        }
    }

    private func byPage(_ gesture: Gesture) -> [Told] {
        var intake = TouchIntake()
        return gesture.steps.flatMap { step in
            let touch = Touch(step.phase, finger: step.finger, x: Double(step.x) / 1_000, y: Double(step.y) / 1_000)
            return intake.kinds(touch, of: .connection(1), at: step.moment).map { Told(moment: step.moment, kind: $0) }
        }
    }

    @Test func `every gesture gives the same events, values and moments by either way`() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: repository + "/Tests/Fixtures/gestures.json"))
        let gestures = try JSONDecoder().decode(File.self, from: bytes).gestures
        #expect(gestures.count == 10)
        for gesture in gestures {
            let (screen, page) = (byTouchscreen(gesture), byPage(gesture))
            #expect(screen == page, "\(gesture.name)")
            let made = page.compactMap { told -> String? in
                switch told.kind {
                case .swipe(let swipe): "swipe \(swipe.direction.rawValue)"
                case .tap: "tap"
                default: nil
                }
            }
            #expect(made.sorted() == gesture.makes.sorted(), "\(gesture.name)")
        }
    }
}
