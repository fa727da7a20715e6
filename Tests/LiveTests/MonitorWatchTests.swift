import Synth
import Testing

@testable import Live

@Suite struct MonitorWatchTests {
    private static let tenth: Int64 = 100_000_000

    /// Ten looks a second, at what `peak` says of each and with a monitor that has `found` of each; which looks said that it is silent.
    private func silent(looks: Int64 = 100, peak: (Int64) -> Float?, found: (Int64) -> Float?) -> [Int64] {
        var watch = MonitorWatch()
        var monitor: Monitor?
        return (0..<looks).filter { look in
            let now = look * Self.tenth
            if let peak = found(look) {
                var listening = monitor ?? Monitor(at: now)
                listening.hear(peak, at: now)
                monitor = listening
            }
            watch.look(at: now, peak: peak(look), monitor: monitor)
            return watch.isSilent
        }
    }

    @Test func `a monitor that is silent for two and a half seconds of sound is told`() {
        #expect(silent(peak: { _ in 0.25 }, found: { _ in 0 }) == Array(25..<100))
    }

    @Test func `it is over when the monitor has sound, and when nothing is played any more`() {
        #expect(silent(peak: { _ in 0.25 }, found: { $0 < 40 ? 0 : 0.25 }) == Array(25..<40))
        #expect(silent(peak: { $0 < 40 ? 0.25 : 0 }, found: { _ in 0 }) == Array(25..<40))
        #expect(silent(peak: { $0 < 40 ? 0.25 : nil }, found: { _ in 0 }) == Array(25..<40))
    }

    @Test func `what is soft or short is not missed`() {
        #expect(silent(peak: { _ in 0.0099 }, found: { _ in 0 }) == [])
        #expect(silent(peak: { $0 % 25 == 0 ? 0 : 0.25 }, found: { _ in 0 }) == [])
    }

    @Test func `a monitor that has the sound two seconds sooner than it is heard is not silent`() {
        #expect(silent(peak: { (30..<60).contains($0) ? 0.25 : 0 }, found: { (10..<40).contains($0) ? 0.25 : 0 }) == [])
    }

    @Test func `nothing is said of a monitor that is not listened to, or sends nothing`() {
        #expect(silent(peak: { _ in 0.25 }, found: { _ in nil }) == [])
        // Up to a second may pass between two pieces.
        #expect(silent(peak: { _ in 0.25 }, found: { $0 < 30 ? 0 : nil }) == Array(25..<40))
    }
}
