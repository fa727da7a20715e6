import Gestures
import Testing

@Suite struct SwitchPressTests {
    private var press = SwitchPress(hold: 700)

    @Test mutating func `a press is short below the time to hold, and long from there on`() {
        press.press(at: 1_000)
        #expect(press.letGo(at: 1_699) == .short)
        press.press(at: 2_000)
        #expect(press.letGo(at: 2_700) == .long)
    }

    @Test mutating func `a switch that is held is long once, and letting it go is no second press`() {
        press.press(at: 1_000)
        #expect(!press.isLong(at: 1_699) && press.isLong(at: 1_700) && !press.isLong(at: 9_000))
        #expect(press.letGo(at: 9_001) == nil)
        press.press(at: 10_000)
        #expect(press.letGo(at: 10_100) == .short)
    }

    @Test mutating func `letting go of what was not pressed is no press`() {
        #expect(press.letGo(at: 5) == nil && !press.isLong(at: 9_000))
    }
}
