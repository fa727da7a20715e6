import AudioOutput
import Realtime
import Synth
import Testing
import Units

@testable import Live

@Suite struct OutputWatchTests {
    private static let second: Int64 = 1_000_000_000

    private func report(_ state: OutputState, fault: Int32 = 0, isRealtime: Bool = true) -> OutputReport {
        var report = OutputReport()
        report.state = state
        report.fault = fault
        report.isRealtime = isRealtime
        return report
    }

    @Test func `a change of state is told once`() {
        var watch = OutputWatch(started: 0)
        #expect(watch.change(report(.connected), at: 1) == .connected(lacksPriority: false))
        #expect(watch.change(report(.connected), at: 2) == nil)
        #expect(watch.change(report(.waiting, fault: 3), at: 3) == .waiting)
        #expect(watch.change(report(.waiting, fault: 3), at: 4) == nil)
        #expect(watch.change(report(.waiting, fault: 5), at: 5) == .waiting, "for another reason")
        #expect(watch.change(report(.connected, fault: 5), at: 6) == .connected(lacksPriority: false))
        #expect(watch.change(report(.connected, fault: 6), at: 7) == nil, "a fault is of interest while it waits")
        #expect(watch.change(report(.null), at: 8) == .null)
    }

    @Test func `what has just begun to look for a server is not said to wait for a second and a half`() {
        var watch = OutputWatch(started: 10 * Self.second)
        #expect(watch.change(report(.waiting), at: 10 * Self.second) == nil)
        #expect(watch.change(report(.waiting), at: 11 * Self.second + 499_999_999) == nil)
        #expect(watch.change(report(.waiting), at: 11 * Self.second + 500_000_000) == .waiting)
        var other = OutputWatch(started: 10 * Self.second)
        #expect(other.change(report(.waiting, fault: 6), at: 10 * Self.second) == .waiting, "it knows already why")
    }

    @Test func `missing real-time priority is told with the first connection and not again`() {
        var watch = OutputWatch(started: 0)
        #expect(watch.change(report(.connected, isRealtime: false), at: 1) == .connected(lacksPriority: true))
        #expect(watch.change(report(.waiting, fault: 1), at: 2) == .waiting)
        #expect(watch.change(report(.connected, isRealtime: false), at: 3) == .connected(lacksPriority: false))
    }

    @Test func `wake-ups are a rate over about a second, by their count and the time that has passed`() {
        var wakeUps = WakeUps()
        wakeUps.count(1_000, 0)
        #expect(wakeUps.perSecond == 0)
        wakeUps.count(1_050, Self.second / 2)
        #expect(wakeUps.perSecond == 0, "too soon to tell")
        wakeUps.count(1_100, Self.second)
        #expect(wakeUps.perSecond == 100)
        wakeUps.count(1_110, 3 * Self.second)
        #expect(wakeUps.perSecond == 5)
    }
}

extension AttenuationWatch {
    /// While `frame` is heard. Others may have had it so for 960 frames.
    fileprivate mutating func look(_ report: OutputReport, frame: Int64) -> Change? {
        change(report, at: frame * 16_384, noticedWithin: 960 * 16_384, latency: FrameCount(48))
    }
}

@Suite struct AttenuationWatchTests {
    /// A frame lasts 16,384 ns, which numbers have exactly; frame 0 is heard at 0.
    private func report(_ change: (inout Attenuation) -> Void = { _ in }) -> OutputReport {
        var report = OutputReport()
        report.state = .connected
        report.clock = PlayClock(frame: 0, nanoseconds: 0, framesPerNanosecond: 1 / 16_384)
        report.rendered = Frame(1_000_000)
        report.sinkBlock = FrameCount(240)
        change(&report.attenuation)
        return report
    }

    @Test func `a mute begins as long before it is noticed as that may take, and ends when the sink has taken the next block`() {
        var watch = AttenuationWatch()
        #expect(watch.look(report(), frame: 24_000) == nil)
        let muted = report { $0.sink.isMuted = true }
        #expect(watch.look(muted, frame: 48_000) == .silent(from: Frame(48_000 - 960 - 48)))
        #expect(watch.look(muted, frame: 96_000) == nil)
        #expect(watch.look(report(), frame: 192_000) == .heard(from: Frame(192_000 + 240 - 48)))
        #expect(watch.look(report(), frame: 240_000) == nil)
    }

    @Test(arguments: [(0.0, true), (0.0009, true), (0.0011, false), (1, false)])
    func `what others turn down below -60 dB is not heard`(magnitude: Double, isSilent: Bool) {
        var watch = AttenuationWatch()
        let change = watch.look(report { $0.stream.magnitude = magnitude }, frame: 48_000)
        #expect((change != nil) == isSilent)
    }

    @Test func `a sound server that goes away says nothing about mutes`() {
        var watch = AttenuationWatch()
        _ = watch.look(report { $0.stream.isMuted = true }, frame: 48_000)
        var waiting = report()
        waiting.state = .waiting
        #expect(watch.look(waiting, frame: 96_000) == nil)
        #expect(watch.look(report { $0.stream.isMuted = true }, frame: 144_000) == nil)
        #expect(watch.look(report(), frame: 192_000) != nil)
    }
}

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

@Suite struct MonitorComparisonTests {
    private static let tenth: Int64 = 100_000_000

    private func report(_ tenth: Int64, state: OutputState, gain: Double) -> OutputReport {
        var report = OutputReport()
        report.state = state
        report.sink = FixedText("speaker")
        report.clock = PlayClock(framesPerNanosecond: 48_000 / 1e9)
        report.rendered = Frame(.max)
        report.attenuation.stream.magnitude = gain
        report.monitor = Monitor(at: 0)
        // It listens, and has nothing.
        for past in 0...tenth { report.monitor?.hear(0, at: past * Self.tenth) }
        return report
    }

    /// After ten seconds of sound at a tenth of full scale that the monitor has nothing of; and the frames that were asked for.
    private func issue(state: OutputState = .connected, gain: Double = 1) -> (issue: String?, asked: [Range<Int64>]) {
        var comparison = MonitorComparison()
        var asked: [Range<Int64>] = []
        var last = OutputReport()
        for tenth: Int64 in 0...100 {
            last = report(tenth, state: state, gain: gain)
            comparison.compare(last, at: tenth * Self.tenth) {
                asked.append($0.lowerBound.rawValue..<$0.upperBound.rawValue)
                return MeterReading(peak: 0.1, meanSquare: 0, weightedMeanSquare: 0)
            }
        }
        return (comparison.issue(last), asked)
    }

    @Test func `sound that the monitor has nothing of is an issue that names the sink, and each frame is compared once`() {
        let (issue, asked) = issue()
        #expect(issue == "the sink speaker is silent although sound is played on it")
        let tenths: [Range<Int64>] = (0..<100).map { (tenth: Int64) in tenth * 4_800..<(tenth + 1) * 4_800 }
        #expect(asked == tenths)
    }

    @Test func `what others turned down to silence is not expected at the monitor`() {
        #expect(issue(gain: 0.05).issue == nil, "-46 dBFS is below what is looked for")
        #expect(issue(gain: 0.2).issue != nil)
    }

    @Test func `without a server nothing is compared`() {
        let (issue, asked) = issue(state: .waiting)
        #expect(issue == nil && asked.isEmpty)
    }
}
