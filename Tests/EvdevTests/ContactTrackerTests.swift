import CEvdev
import Signals
import Testing
@testable import Evdev

@Suite struct ContactTrackerTests {
    private func multitouch() -> ContactTracker { ContactTracker(.multitouch, slots: 4, width: 0...1_000, height: 100...300) }

    private func feed(_ tracker: inout ContactTracker, _ events: [(Int32, Int32)]) -> [ContactTracker.Change] {
        for (code, value) in events { tracker.take(type: UInt32(EV_ABS), code: UInt32(code), value: value) }
        return tracker.report()
    }

    @Test func `slots are fingers, and what is not said stays as it was`() {
        var tracker = multitouch()
        #expect(feed(&tracker, [(ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, 45), (ABS_MT_POSITION_X, 250), (ABS_MT_POSITION_Y, 200)])
            == [.init(phase: .began, finger: 1, x: 0.25, y: 0.5)])
        #expect(feed(&tracker, [(ABS_MT_POSITION_Y, 300)]) == [.init(phase: .moved, finger: 1, x: 0.25, y: 1)])
        #expect(feed(&tracker, []) == [])
        #expect(feed(&tracker, [(ABS_MT_SLOT, 3), (ABS_MT_TRACKING_ID, 46), (ABS_MT_SLOT, 1), (ABS_MT_TRACKING_ID, -1)])
            == [.init(phase: .ended, finger: 1, x: 0.25, y: 1), .init(phase: .began, finger: 3, x: 0.5, y: 0.5)])
    }

    @Test func `a slot taken again without being let go ends one finger and begins another`() {
        var tracker = multitouch()
        _ = feed(&tracker, [(ABS_MT_TRACKING_ID, 1)])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 2)]).map(\.phase) == [.ended, .began])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1), (ABS_MT_TRACKING_ID, 3)]).map(\.phase) == [.ended, .began])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1), (ABS_MT_TRACKING_ID, -1)]).map(\.phase) == [.ended])
    }

    @Test func `a finger ends where it was, wherever the next in its slot begins`() {
        var tracker = multitouch()
        _ = feed(&tracker, [(ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 900), (ABS_MT_POSITION_Y, 280)])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1), (ABS_MT_TRACKING_ID, 2), (ABS_MT_POSITION_X, 100), (ABS_MT_POSITION_Y, 120)])
            == [.init(phase: .ended, finger: 0, x: 0.9, y: 0.9), .init(phase: .began, finger: 0, x: 0.1, y: 0.1)])
    }

    @Test func `one that comes and goes within a packet is a touch all the same`() {
        var tracker = multitouch()
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 1), (ABS_MT_TRACKING_ID, -1)]).map(\.phase) == [.began, .ended])
        #expect(feed(&tracker, []) == [])
    }

    @Test func `ranges as wide as can be do no harm`() {
        var tracker = ContactTracker(.multitouch, slots: 1, width: Int32.min...Int32.max, height: -1...Int32.max)
        let changes = feed(&tracker, [(ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, .max), (ABS_MT_POSITION_Y, .min)])
        #expect(changes == [.init(phase: .began, finger: 0, x: 1, y: 0)])
    }

    @Test func `what a driver makes up is passed over`() {
        var tracker = multitouch()
        #expect(feed(&tracker, [(ABS_MT_SLOT, 99), (ABS_MT_TRACKING_ID, 1), (ABS_MT_SLOT, -1), (ABS_MT_TRACKING_ID, 1)]) == [])
        #expect(feed(&tracker, [(ABS_MT_SLOT, 0), (ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 9_999), (ABS_MT_POSITION_Y, -5)])
            == [.init(phase: .began, finger: 0, x: 1, y: 0)])
    }

    @Test func `one contact is down while its button is`() {
        var tracker = ContactTracker(.single(button: UInt32(BTN_TOUCH)), width: 0...100, height: 0...100)
        tracker.take(type: UInt32(EV_KEY), code: UInt32(BTN_TOUCH), value: 1)
        #expect(feed(&tracker, [(ABS_X, 10), (ABS_Y, 90)]) == [.init(phase: .began, finger: 0, x: 0.1, y: 0.9)])
        #expect(tracker.release() == [.init(phase: .ended, finger: 0, x: 0.1, y: 0.9)])
        // Hovering is no touch.
        #expect(feed(&tracker, [(ABS_X, 20)]) == [])
    }

    @Test func `a mouse drags from where it is`() {
        var tracker = ContactTracker(.relative(button: UInt32(BTN_LEFT)), width: 0...1, height: 0...1)
        tracker.take(type: UInt32(EV_REL), code: UInt32(REL_Y), value: 500)
        #expect(tracker.report() == [])
        tracker.take(type: UInt32(EV_KEY), code: UInt32(BTN_LEFT), value: 1)
        #expect(tracker.report() == [.init(phase: .began, finger: 0, x: 0.5, y: 0.75)])
        tracker.take(type: UInt32(EV_REL), code: UInt32(REL_Y), value: 9_000)
        #expect(tracker.report() == [.init(phase: .moved, finger: 0, x: 0.5, y: 1)])
    }

    @Test func `a contact that hovers is a finger from when it touches to when it rises`() {
        var tracker = multitouch()
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 1), (ABS_MT_POSITION_X, 400), (ABS_MT_POSITION_Y, 200), (ABS_MT_DISTANCE, 1)]) == [])
        #expect(feed(&tracker, [(ABS_MT_POSITION_X, 500)]) == [])
        #expect(feed(&tracker, [(ABS_MT_DISTANCE, 0)]) == [.init(phase: .began, finger: 0, x: 0.5, y: 0.5)])
        #expect(feed(&tracker, [(ABS_MT_DISTANCE, 1)]) == [.init(phase: .ended, finger: 0, x: 0.5, y: 0.5)])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1)]) == [])
        // The kernel says only what has changed: the next contact hovers, too.
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 2)]) == [])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1), (ABS_MT_TRACKING_ID, 3), (ABS_MT_DISTANCE, 0)]).map(\.phase) == [.began])
    }

    @Test func `a palm takes its finger away, and is none until the next contact`() {
        var tracker = multitouch()
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 1), (ABS_MT_TOOL_TYPE, 0), (ABS_MT_POSITION_X, 400)]).map(\.phase) == [.began])
        #expect(feed(&tracker, [(ABS_MT_TOOL_TYPE, 2), (ABS_MT_POSITION_X, 410)]) == [.init(phase: .ended, finger: 0)])
        #expect(feed(&tracker, [(ABS_MT_TOOL_TYPE, 0), (ABS_MT_POSITION_X, 420)]) == [])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, -1)]) == [])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 2)]).map(\.phase) == [.began])
        #expect(feed(&tracker, [(ABS_MT_TOOL_TYPE, 2), (ABS_MT_TRACKING_ID, -1)]) == [.init(phase: .ended, finger: 0)])
        #expect(feed(&tracker, [(ABS_MT_TRACKING_ID, 3)]) == [])
    }

    @Test func `a pen is down while its own tool touches, not while it hovers, nor while a finger touches`() {
        let pen = UInt32(BTN_TOOL_PEN)
        var tracker = ContactTracker(.single(button: UInt32(BTN_TOUCH), tools: [pen]), width: 0...100, height: 0...100)
        func press(_ code: Int32, _ value: Int32) -> [Touch.Phase] {
            tracker.take(type: UInt32(EV_KEY), code: UInt32(code), value: value)
            return tracker.report().map(\.phase)
        }
        #expect(press(BTN_TOOL_PEN, 1) == [])
        #expect(press(BTN_TOUCH, 1) == [.began])
        #expect(press(BTN_TOUCH, 0) == [.ended])
        #expect(press(BTN_TOUCH, 1) == [.began])
        #expect(press(BTN_TOOL_PEN, 0) == [.ended])
        #expect(press(BTN_TOUCH, 0) == [])
        #expect(press(BTN_TOOL_FINGER, 1) == [])
        #expect(press(BTN_TOUCH, 1) == [])
    }
}
