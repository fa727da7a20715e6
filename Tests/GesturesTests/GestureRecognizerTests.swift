import Gestures
import Signals
import Testing

@Suite struct GestureRecognizerTests {
    /// Goes through `path`, positions by milliseconds, and lifts at the last.
    private func drawn(_ path: [(ms: Int, y: Double)], x: Double = 0.5, drift: Double = 0) -> EventKind? {
        var recognizer = GestureRecognizer()
        for (index, point) in path.enumerated() {
            let phase: Touch.Phase = index == 0 ? .began : index == path.count - 1 ? .ended : .moved
            let touch = Touch(phase, x: x + drift * Double(index), y: point.y)
            let gesture = recognizer.take(touch, at: Int64(point.ms) * 1_000_000)
            if phase == .ended { return gesture }
            #expect(gesture == nil)
        }
        return nil
    }

    private func line(from: Double, perSecond: Double, milliseconds: Int) -> [(ms: Int, y: Double)] {
        stride(from: 0, through: milliseconds, by: 10).map { ($0, from + perSecond * Double($0) / 1000) }
    }

    @Test func `a finger thrown up is a swipe up, as fast as it was`() throws {
        guard case .swipe(let swipe)? = drawn(line(from: 0.8, perSecond: -2, milliseconds: 200)) else {
            Issue.record("no swipe")
            return
        }
        #expect(swipe.direction == .up)
        #expect(abs((swipe.velocity ?? 0) - 2) < 1e-9)
        #expect(abs(swipe.deceleration ?? 1) < 1e-6)
    }

    @Test func `one that slows down says by how much`() throws {
        // y = 0.2 + 3t − 5t²: velocity 3 − 10t, slowing by 10; at 200 ms the last 100 ms are 2…1, 1.5 in the mean.
        let path = stride(from: 0, through: 200, by: 10).map { ms in
            let t = Double(ms) / 1000
            return (ms: ms, y: 0.2 + 3 * t - 5 * t * t)
        }
        guard case .swipe(let swipe)? = drawn(path) else {
            Issue.record("no swipe")
            return
        }
        #expect(swipe.direction == .down)
        #expect(abs((swipe.velocity ?? 0) - 1.5) < 1e-6)
        #expect(abs((swipe.deceleration ?? 0) - 10) < 0.5)
    }

    @Test func `a short touch that goes nowhere is a tap, a long one is nothing`() {
        #expect(drawn([(0, 0.5), (20, 0.51), (120, 0.51)]) == .tap(Tap(x: 0.5, y: 0.51)))
        #expect(drawn([(0, 0.5), (900, 0.5)]) == nil)
    }

    @Test func `a finger that rests before it leaves throws nothing, nor does one that goes sideways`() {
        #expect(drawn(line(from: 0.8, perSecond: -2, milliseconds: 200) + [(400, 0.4), (420, 0.4)]) == nil)
        #expect(drawn(line(from: 0.5, perSecond: -0.5, milliseconds: 200), drift: 0.02) == nil)
    }

    @Test func `a finger that goes half the height needs no speed, unless it is thrown back`() {
        // 0.2 heights a second, for 3 s; and the same, then back by 0.1 in 50 ms.
        let slow = line(from: 0.8, perSecond: -0.2, milliseconds: 3_000)
        guard case .swipe(let swipe)? = drawn(slow) else {
            Issue.record("no swipe")
            return
        }
        #expect(swipe.direction == .up && abs((swipe.velocity ?? 0) - 0.2) < 1e-9)
        let back = (1...5).map { (ms: 3_000 + 10 * $0, y: 0.2 + 0.02 * Double($0)) }
        #expect(drawn(slow + back) == nil)
        #expect(drawn(line(from: 0.8, perSecond: -0.2, milliseconds: 2_000)) == nil, "two fifths are not enough")
    }

    @Test func `a finger that was taken away is no gesture, and the next is another`() {
        var recognizer = GestureRecognizer()
        #expect(recognizer.take(Touch(.began, x: 0.5, y: 0.5), at: 0) == nil)
        #expect(recognizer.take(Touch(.ended), at: 1) == nil)
        #expect(recognizer.isIdle)
    }

    @Test func `a touch without a position is no gesture`() {
        var recognizer = GestureRecognizer()
        #expect(recognizer.take(Touch(.began), at: 0) == nil)
        #expect(recognizer.take(Touch(.ended), at: 1) == nil)
    }

    @Test func `fingers do not mix`() {
        var recognizer = GestureRecognizer()
        for (ms, y) in line(from: 0.8, perSecond: -2, milliseconds: 200) {
            let moment = Int64(ms) * 1_000_000
            #expect(recognizer.take(Touch(ms == 0 ? .began : .moved, finger: 1, x: 0.2, y: y), at: moment) == nil)
            #expect(recognizer.take(Touch(ms == 0 ? .began : .moved, finger: 2, x: 0.7, y: 0.5), at: moment) == nil)
        }
        #expect(recognizer.take(Touch(.ended, finger: 2, x: 0.7, y: 0.5), at: 205_000_000) == .tap(Tap(x: 0.7, y: 0.5)))
        guard case .swipe? = recognizer.take(Touch(.ended, finger: 1, x: 0.2, y: 0.4), at: 205_000_000) else {
            Issue.record("no swipe")
            return
        }
    }
}
