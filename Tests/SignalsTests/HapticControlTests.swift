import Signals
import Testing
import Units

@Suite struct HapticControlTests {
    private func value(_ controls: [HapticControl], _ parameter: HapticControl.Parameter, _ time: Double) -> Double {
        HapticPattern(events: [], controls: controls).control(parameter, at: Seconds(time))
    }

    private let ramp = HapticControl(.intensity, time: Seconds(1), shape: .curve([
        .init(time: .zero, value: 1), .init(time: Seconds(0.5), value: 0.2), .init(time: Seconds(1), value: 0.6),
    ]))

    @Test func `without controls intensity and volume are multiplied by 1, and nothing is added to the others`() {
        #expect(HapticControl.Parameter.allCases.map { value([], $0, 3) } == [1, 0, 0, 0, 0, 1, 0])
    }

    @Test(arguments: zip([0.99, 1, 1.25, 1.5, 1.75, 2, 9], [1, 1, 0.6, 0.2, 0.4, 0.6, 0.6]))
    func `a curve goes in straight lines, and stays where it ends`(time: Double, expected: Double) {
        #expect(abs(value([ramp], .intensity, time) - expected) < 1e-12)
    }

    @Test func `what began last counts`() {
        let jump = HapticControl(.intensity, time: Seconds(1.5), shape: .jump(0.9))
        for controls in [[ramp, jump], [jump, ramp]] {
            #expect(value(controls, .intensity, 1.25) == value([ramp], .intensity, 1.25))
            #expect(value(controls, .intensity, 1.5) == 0.9)
            #expect(value(controls, .intensity, 5) == 0.9)
        }
        let again = HapticControl(.intensity, time: Seconds(1.5), shape: .jump(0.1))
        #expect(value([jump, again], .intensity, 2) == 0.1, "of two at once, the later one in the file")
    }
}
