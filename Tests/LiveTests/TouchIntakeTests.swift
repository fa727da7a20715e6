import Evdev
import Signals
import Testing

@testable import Live

@Suite struct TouchIntakeTests {
    private static let millisecond: Int64 = 1_000_000

    private func report(_ phase: Touch.Phase, at milliseconds: Int64, screen: Int = 1, isLast: Bool = false) -> TouchReport {
        TouchReport(screen: screen, moment: milliseconds * Self.millisecond,
                    touches: [Touch(phase, finger: 1, x: 0.5, y: Double(milliseconds) / 1_000)], isLast: isLast)
    }

    @Test func `moves of a finger are told sixty times a second, and its coming and going always`() {
        var intake = TouchIntake()
        let told = (0...100).filter { millisecond in
            let phase: Touch.Phase = millisecond == 0 ? .began : millisecond == 100 ? .ended : .moved
            return !intake.kinds(report(phase, at: Int64(millisecond)), withGestures: false).isEmpty
        }
        #expect(told == [0, 16, 32, 48, 64, 80, 96, 100])
    }

    @Test func `screens have fingers of their own`() {
        var intake = TouchIntake()
        _ = intake.kinds(report(.began, at: 0, screen: 1), withGestures: false)
        _ = intake.kinds(report(.began, at: 0, screen: 2), withGestures: false)
        #expect(intake.kinds(report(.moved, at: 20, screen: 2), withGestures: false).count == 1)
        #expect(intake.kinds(report(.moved, at: 5, screen: 1), withGestures: false).isEmpty)
    }

    @Test func `fingers without number are not remembered, and those that are go on as before`() {
        var intake = TouchIntake()
        func touch(_ phase: Touch.Phase, _ finger: Int, at milliseconds: Int64) -> [EventKind] {
            intake.kinds(Touch(phase, finger: finger, x: 0.5, y: 0.5), of: .connection(1), at: milliseconds * Self.millisecond,
                         withGestures: false)
        }
        _ = touch(.began, 0, at: 0)
        // Not begun: each is told, and none is remembered.
        for finger in 1...5_000 { #expect(touch(.moved, finger, at: 1).count == 1) }
        for finger in 1...5_000 { _ = touch(.began, finger, at: 2) }
        #expect(touch(.moved, 1, at: 3).isEmpty, "one of the first is thinned")
        #expect(touch(.moved, 5_000, at: 3).count == 1, "one of the last is not remembered")
        #expect(touch(.moved, 0, at: 3).isEmpty && touch(.moved, 0, at: 20).count == 1)
    }

    @Test func `a tap is told after the finger that made it, unless a front end reports gestures or the screen is gone`() {
        func names(withGestures: Bool, isLast: Bool = false) -> [String] {
            var intake = TouchIntake()
            _ = intake.kinds(report(.began, at: 0), withGestures: withGestures)
            return intake.kinds(report(.ended, at: 1, isLast: isLast), withGestures: withGestures).map(\.name)
        }
        #expect(names(withGestures: true) == ["touch", "tap"])
        #expect(names(withGestures: false) == ["touch"])
        #expect(names(withGestures: true, isLast: true) == ["touch"])
    }

    @Test func `a page's touches are thinned and looked at in the same way, and forgotten when it goes`() {
        var intake = TouchIntake()
        let client = Client.connection(7)
        let told = (0...100).map { ms in
            let phase: Touch.Phase = ms == 0 ? .began : ms == 100 ? .ended : .moved
            return intake.kinds(Touch(phase, x: 0.5, y: 0.8 - Double(ms) / 200), of: client, at: Int64(ms) * Self.millisecond).map(\.name)
        }
        #expect(told.filter { !$0.isEmpty } == Array(repeating: ["touch"], count: 7) + [["touch", "swipe"]])
        _ = intake.kinds(Touch(.began, x: 0.5, y: 0.5), of: client, at: 200 * Self.millisecond)
        intake.forget(client)
        #expect(intake.kinds(Touch(.ended, x: 0.5, y: 0.5), of: client, at: 210 * Self.millisecond).map(\.name) == ["touch"])
    }
}
