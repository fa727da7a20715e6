import Realtime
import Signals
import Synth
import Testing
import Units

@testable import AudioOutput

/// A sound server in a few lines: it takes a block of 2 ms when what it took before has been played, and keeps what it
/// has played.
private struct Server: ~Copyable {
    static let block: Int64 = 96

    var player: Player
    var control: RingProducer<Instruction>
    var notices: RingConsumer<Notice>
    /// Nanoseconds.
    var now: Int64 = 1_000_000_000
    var stream: [Float] = []
    var read: Int64 = 0
    var played: [Float] = []
    var isStuck = false
    /// Where the sink was when it began to take frames.
    private var begun: Int64?

    init() {
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 4096)
        let reports = Latest.make(OutputReport())
        let renderer = Renderer(EngineSettings(), instructions: instructions.consumer, notices: notices.producer,
                                reports: reports.writer)
        player = Player(renderer, queue: .milliseconds(200), bell: Doorbell(), state: .waiting, now: now)
        control = instructions.producer
        self.notices = notices.consumer
    }

    mutating func write(_ stretch: Stretch) {
        player.seek(stretch)
        let start = Int(player.written)
        let count = Int(stretch.count)
        if stream.count < start + count { stream += Array(repeating: 0, count: start + count - stream.count) }
        stream.withUnsafeMutableBufferPointer { buffer in
            var span = UnsafeMutableBufferPointer(rebasing: buffer[start..<(start + count)]).mutableSpan
            player.render(into: &span)
        }
    }

    var timing: Timing {
        Timing(read: read, written: player.written, held: max(0, read - due) * 1_000_000_000 / 48_000, moment: now)
    }

    /// Frames that the sink has played by now.
    private var due: Int64 { begun.map { (now - $0) * 48 / 1_000_000 } ?? 0 }

    /// A millisecond passes; the server asks, and is asked every 20 ms.
    mutating func pass(milliseconds: Int = 1) {
        for _ in 0..<milliseconds {
            now += 1_000_000
            if player.mode == .free { player.runFree(now: now) }
            guard player.mode != .free else { continue }
            if isStuck { begun = begun.map { $0 + 1_000_000 } }
            if begun == nil { begun = now }
            while read < due + Self.block / 2, !isStuck {
                for frame in Int(read)..<Int(read + Self.block) { played.append(frame < stream.count ? stream[frame] : 0) }
                read += Self.block
            }
            if read > player.written { player.ranDry(now: now) }
            let missing = 9_600 - (player.written - read)
            if missing >= 2_400 {
                if !isStuck { player.wasAsked(now: now) }
                write(Stretch(offset: 0, count: missing))
            }
            if player.mode != .live { player.runFree(now: now) }
            if let stretch = player.stall(after: 300_000_000, now: now) { write(stretch) }
            if now / 1_000_000 % 20 == 0, let stretch = player.learn(timing, now: now) { write(stretch) }
        }
    }

    /// An event that happens now, as soon as possible.
    mutating func act(_ commands: [SynthCommand]) {
        _ = control.stage(.event(due: Due(.zero), gap: .zero))
        for command in commands { _ = control.stage(.command(command)) }
        control.publish()
        let end = player.written
        guard let stretch = player.revise(now: now) else { return }
        write(stretch)
        _ = player.landed(from: end + stretch.offset, at: now, timing, now: now)
    }

    mutating func heard() -> [String] {
        var words: [String] = []
        while let notice = notices.peek() {
            notices.drop()
            switch notice {
            case .placed: words.append("placed")
            case .late: words.append("late")
            case .gap: words.append("gap")
            }
        }
        return words
    }
}

private let on: [SynthCommand] = [.level(Decibels(-6)), .gate(open: true)]

@Suite struct PlayerTests {
    /// A sine of 240 Hz at half of full scale, and fades of 5 ms, change by no more than this from sample to sample.
    private static let smooth: Float = 0.03

    private func largestStep(_ samples: [Float]) -> Float { zip(samples.dropFirst(), samples).map { abs($0 - $1) }.max() ?? 0 }

    @Test func `an event is heard a few milliseconds after it happened, though 200 ms are queued`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 1_000)
        #expect(server.player.mode == .live)
        let silentFrames = server.played.count
        server.act(on)
        server.pass(milliseconds: 100)
        let first = server.played.firstIndex { $0 != 0 } ?? 0
        #expect(first >= silentFrames && first < silentFrames + 240)
        #expect(largestStep(server.played) < Self.smooth)
        #expect(server.heard() == ["placed"])
        #expect(server.player.report.lateRewrites == 0 && server.player.report.rewrites == 1)
    }

    @Test func `events go on while there is no server, and the tone is there when it is`() {
        var server = Server()
        server.pass(milliseconds: 100)
        server.act(on)
        #expect(server.heard() == ["placed"])
        server.player.openStream()
        server.pass(milliseconds: 500)
        #expect(server.played.suffix(4_800).contains { $0.magnitude > 0.4 })
        #expect(largestStep(server.played) < Self.smooth, "it comes in softly")
    }

    @Test func `a sink that stands still is told, and goes on softly at the right place`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 500)
        server.act(on)
        server.pass(milliseconds: 500)
        server.isStuck = true
        // What happens before it is noticed counts too, though it is to be rendered again from further back.
        server.pass(milliseconds: 50)
        server.act([.gate(open: false)])
        server.pass(milliseconds: 70)
        server.act([.note(NoteCommand(ChimeNote(start: .zero, frequency: Hertz(900), level: Decibels(-40),
                                                attack: .milliseconds(3), decay: Seconds(0.01),
                                                partials: [Partial(ratio: 1, level: Decibels(0))])))])
        server.pass(milliseconds: 280)
        #expect(server.player.mode == .filling && server.player.report.state == .waiting)
        server.pass(milliseconds: 600)
        let before = server.played.count
        server.isStuck = false
        server.pass(milliseconds: 500)
        #expect(server.player.mode == .live && server.player.report.state == .connected)
        #expect(largestStep(server.played) < Self.smooth)
        let isSilent = server.played[(before + 1_200)...].allSatisfy { $0 == 0 }
        #expect(isSilent, "the finger had left")
    }

    @Test func `a queue that runs dry is counted and journaled, and the tone comes back softly`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 500)
        server.act(on)
        server.pass(milliseconds: 300)
        #expect(server.heard() == ["placed"])
        // Half a second in which nobody writes.
        server.now += 500_000_000
        server.pass(milliseconds: 300)
        #expect(server.heard() == ["gap"])
        #expect(server.player.report.underruns == 1 && server.player.mode == .live)
        #expect(server.played.suffix(4_800).contains { $0.magnitude > 0.4 })
    }

    @Test func `a change that came too late widens the margin and is told`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 500)
        let margin = server.player.margin.reach
        _ = server.player.landed(from: server.read - 480, at: server.now, server.timing, now: server.now)
        #expect(server.player.margin.reach >= margin + 9_000_000)
        #expect(server.heard() == ["late"])
    }

    @Test func `a server that puts writes elsewhere is found out`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 500)
        var answers: [Bool] = []
        for _ in 0..<3 {
            // It appended what was to be overwritten.
            var timing = server.timing
            timing.written += 9_000
            answers.append(server.player.landed(from: server.read + 480, at: server.now, timing, now: server.now))
        }
        #expect(answers == [true, true, false])
    }

    @Test func `where nothing can be overwritten, an event follows what is queued`() {
        var server = Server()
        server.player.report.revises = false
        server.player.openStream()
        server.pass(milliseconds: 500)
        let queued = server.player.written
        server.act(on)
        server.pass(milliseconds: 400)
        let first = server.played.firstIndex { $0 != 0 } ?? 0
        // But for the limiter's look-ahead, which is given back.
        #expect((queued...(queued + 100)).contains(Int64(first)))
    }

    @Test func `a flood is let through in steps`() {
        var pace = Pace()
        var passed = 0
        for moment in stride(from: Int64(0), to: 1_000_000_000, by: 100_000) where pace.allows(moment) {
            pace.count(moment)
            passed += 1
        }
        #expect(passed == 16 * 20)
        #expect(pace.isHolding)
    }

    @Test func `a doorbell rings once however often it is rung`() {
        let bell = Doorbell()
        #expect(!bell.hasRung(within: 0))
        bell.ring()
        bell.ring()
        #expect(bell.hasRung(within: 0))
        #expect(!bell.hasRung(within: 0))
    }
}
