import Gestures
import Testing

@Suite struct SwitchPressTests {
    private static let ms: Int64 = 1_000_000
    private let ms = Self.ms
    private var press = SwitchPress(hold: 700 * Self.ms)

    @Test mutating func `a press is short below the time to hold, and long from there on`() {
        press.press(at: 1_000 * ms)
        #expect(press.letGo(at: 1_700 * ms - 1) == .short)
        press.press(at: 2_000 * ms)
        #expect(press.letGo(at: 2_700 * ms) == .long)
    }

    @Test mutating func `a switch that is held is long once, and letting it go is no second press`() {
        press.press(at: 1_000 * ms)
        let early = press.isLong(at: 1_700 * ms - 1)
        let first = press.isLong(at: 1_700 * ms)
        let again = press.isLong(at: 9_000 * ms)
        #expect(!early && first && !again)
        #expect(press.letGo(at: 9_001 * ms) == nil)
        press.press(at: 10_000 * ms)
        #expect(press.letGo(at: 10_100 * ms) == .short)
    }

    @Test mutating func `letting go of what was not pressed is no press`() {
        #expect(press.letGo(at: 5 * ms) == nil)
        let isLong = press.isLong(at: 9_000 * ms)
        #expect(!isLong)
    }

    @Test mutating func `a press within 30 ms of letting go is the contact bouncing`() {
        press.press(at: 1_000 * ms)
        #expect(press.letGo(at: 1_100 * ms) == .short)
        press.press(at: 1_130 * ms - 1)
        #expect(press.letGo(at: 1_135 * ms) == nil)
        press.press(at: 1_165 * ms)
        #expect(press.letGo(at: 1_200 * ms) == .short)
    }
}
