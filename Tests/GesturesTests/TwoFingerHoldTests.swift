import Gestures
import Signals
import Testing

@Suite struct TwoFingerHoldTests {
    private var hold = TwoFingerHold()

    private mutating func put(_ finger: Int, _ phase: Touch.Phase, x: Double? = 0.5, y: Double? = 0.5, at seconds: Double) {
        hold.take(Touch(phase, finger: finger, x: x, y: y), at: Int64(seconds * 1e9))
    }

    private mutating func isDue(_ seconds: Double) -> Bool { hold.isDue(at: Int64(seconds * 1e9)) }

    @Test mutating func `two fingers that are held for two seconds are told once, and again when they come anew`() {
        put(3, .began, x: 0.1, at: 1)
        #expect(!isDue(9), "one finger is none")
        put(7, .began, x: 0.9, at: 10)
        #expect(hold.down == [3, 7])
        #expect(!isDue(11.999) && isDue(12) && !isDue(20))
        put(7, .ended, at: 21)
        put(7, .began, at: 22)
        #expect(!isDue(30), "one of them has stayed")
        put(3, .ended, at: 31)
        put(7, .ended, at: 31)
        #expect(hold.isIdle)
        put(1, .began, at: 32)
        put(2, .began, at: 32)
        #expect(isDue(34))
    }

    @Test mutating func `fingers may tremble, and a finger that goes away or a third one spoils it`() {
        put(1, .began, at: 0)
        put(2, .began, at: 0)
        put(1, .moved, x: 0.53, y: 0.47, at: 1)
        #expect(isDue(2))
        for finger in [1, 2] { put(finger, .ended, at: 3) }
        for finger in [1, 2] { put(finger, .began, at: 4) }
        put(2, .moved, y: 0.6, at: 4.5)
        put(2, .moved, y: 0.5, at: 4.6)
        #expect(!isDue(9), "it was away")
        for finger in [1, 2] { put(finger, .ended, at: 9) }
        for finger in [1, 2, 3] { put(finger, .began, at: 10) }
        put(3, .ended, at: 10.1)
        #expect(!isDue(19), "a hand that leans on the glass has more than two")
    }

    @Test mutating func `a finger that is let go early, or comes without a place, does not count`() {
        put(1, .began, at: 0)
        put(2, .began, at: 0)
        put(2, .ended, x: nil, y: nil, at: 1.9)
        #expect(!isDue(5) && hold.down == [1])
        put(4, .began, x: nil, y: nil, at: 6)
        #expect(!isDue(9) && hold.down == [1])
    }
}
