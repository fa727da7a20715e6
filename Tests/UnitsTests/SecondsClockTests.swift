import Testing
import Units

@Suite struct SecondsClockTests {
    /// By hand.
    @Test(arguments: [(0.0, 0, "0:00"), (9.4, 0, "0:09"), (9.5, 0, "0:10"), (59.7, 0, "1:00"), (90.25, 3, "1:30.250"), (4.4895, 1, "0:04.5"),
                      (3_599.96, 1, "1:00:00.0"), (3_723, 0, "1:02:03"), (604_800, 2, "168:00:00.00"), (-3, 1, "0:00.0")])
    func `a length is minutes and seconds, and from an hour on hours`(seconds: Double, digits: Int, text: String) {
        #expect(Seconds(seconds).clock(digits) == text)
    }
}
