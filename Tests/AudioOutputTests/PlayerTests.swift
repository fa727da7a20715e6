import Realtime
import Signals
import Synth
import TestSupport
import Testing
import Units

@testable import AudioOutput

/// A sound server in a few lines: it takes a block when what it took before has been played, and keeps what it has played.
private struct Server: ~Copyable {
    /// Nanoseconds.
    private static let tick: Int64 = 100_000

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
    private let block: Int64
    /// Frames it has in hand when it takes more.
    private let reserve: Int64
    /// Whether it tells only how many blocks it has taken, and that a little late, as PipeWire does. It is not as punctual
    /// either.
    private let isStepwise: Bool
    /// Whether its machine stands still for some milliseconds several times a second.
    private let isHeldUp: Bool
    private var heldUntil: Int64 = 0
    private var told: Int64 = 0
    private(set) var late = 0
    /// Frames of commands from which on, and up to which, nothing was heard, as told.
    private(set) var gaps: [(start: Int64, end: Int64?)] = []
    private var generator = SplitMix64(seed: 3)

    /// `block` and `reserve` in frames.
    init(block: Int64 = 96, reserve: Int64 = 0, isStepwise: Bool = false, isHeldUp: Bool = false) {
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 4096)
        let reports = Latest.make(OutputReport())
        let renderer = Renderer(EngineSettings(), instructions: instructions.consumer, notices: notices.producer,
                                reports: reports.writer)
        player = Player(renderer, queue: .milliseconds(200), bell: Doorbell(), state: .waiting, now: now)
        control = instructions.producer
        self.notices = notices.consumer
        self.block = block
        self.reserve = reserve
        self.isStepwise = isStepwise
        self.isHeldUp = isHeldUp
    }

    mutating func write(_ stretch: Stretch) { arrive(render(stretch)) }

    /// Frames, and where in the stream they belong.
    private mutating func render(_ stretch: Stretch) -> (start: Int, frames: [Float]) {
        player.seek(stretch)
        let start = Int(player.written)
        var frames = [Float](repeating: 0, count: Int(stretch.count))
        frames.withUnsafeMutableBufferPointer { buffer in
            var span = buffer.mutableSpan
            player.render(into: &span)
        }
        return (start, frames)
    }

    private mutating func arrive(_ write: (start: Int, frames: [Float])) {
        let end = write.start + write.frames.count
        if stream.count < end { stream += Array(repeating: 0, count: end - stream.count) }
        stream.replaceSubrange(write.start..<end, with: write.frames)
        guard write.start < read, !isStepwise else { return }
        // As PulseAudio does: the sink goes back to what it has not played, but a frame of it has been handed on.
        read = max(Int64(write.start), min(read, due))
        played.removeLast(max(0, played.count - Int(read) - 1))
    }

    var timing: Timing {
        guard !isStepwise else { return Timing(read: told, written: player.written, held: 0, moment: now) }
        return Timing(read: read, written: player.written, held: max(0, read - due) * 1_000_000_000 / 48_000, moment: now)
    }

    /// Frames that the sink has played by now.
    var due: Int64 { begun.map { (now - $0) * 48 / 1_000_000 } ?? 0 }

    private mutating func take() {
        if isStuck { begun = begun.map { $0 + Self.tick } }
        if begun == nil { begun = now }
        if isHeldUp, now > heldUntil, Int.random(in: 0..<2_000, using: &generator) == 0 {
            heldUntil = now + .random(in: 1_000_000...15_000_000, using: &generator)
        }
        guard now >= heldUntil else { return }
        let needed = isStepwise ? due - .random(in: 0...8, using: &generator) : due + reserve + 1
        while read < needed, !isStuck {
            for frame in Int(read)..<Int(read + block) where frame >= played.count { played.append(frame < stream.count ? stream[frame] : 0) }
            read += block
        }
    }

    /// Time passes; the server asks, and is asked every 20 ms.
    mutating func pass(milliseconds: Int = 1) { pass(ticks: milliseconds * 10) }

    mutating func pass(ticks: Int) {
        for _ in 0..<ticks {
            now += Self.tick
            if player.mode == .free { player.runFree(now: now) }
            guard player.mode != .free else { continue }
            told = read
            take()
            if read > player.written { runDry(at: player.written) }
            let missing = 9_600 - (player.written - read)
            if missing >= 2_400 {
                if !isStuck { player.wasAsked(now: now) }
                write(Stretch(offset: 0, count: missing))
            }
            if player.mode != .live { player.runFree(now: now) }
            if let stretch = player.stall(after: 300_000_000, now: now) { write(stretch) }
            if now % 20_000_000 == 0 { tell() }
        }
    }

    /// The player learns where the sink is.
    private mutating func tell() {
        guard let stretch = player.learn(timing, now: now) else { return }
        let start = player.written + stretch.offset
        write(stretch)
        if player.isComingBack { _ = player.landed(from: start, at: now, timing, now: now) }
    }

    mutating func runDry(at index: Int64) { if let stretch = player.ranDry(at: index, now: now) { write(stretch) } }

    /// An event that happens now, as soon as possible; what it changes takes so many ticks to arrive. Returns the first
    /// frame that it changes.
    @discardableResult
    mutating func act(_ commands: [SynthCommand], ticks: Int = 0) -> Int? {
        stage(commands)
        if player.shouldAskFirst(now: now) {
            pass(ticks: 1)
            tell()
        }
        let end = player.written
        guard let stretch = player.revise(now: now) else { return nil }
        let moment = now
        let change = render(stretch)
        pass(ticks: ticks)
        arrive(change)
        _ = player.landed(from: end + stretch.offset, at: moment, timing, now: now)
        return change.start
    }

    mutating func stage(_ commands: [SynthCommand]) {
        _ = control.stage(.event(due: Due(.zero), gap: .zero))
        for command in commands { _ = control.stage(.command(command)) }
        control.publish()
    }

    /// What the control side is told, and in how many frames changes may have come too late.
    mutating func heard() -> [String] {
        var words: [String] = []
        late = 0
        while let notice = notices.peek() {
            notices.drop()
            switch notice {
            case .placed: words.append("placed")
            case .late(_, let count):
                words.append("late")
                late += Int(count.rawValue)
            case .silent(let frame):
                words.append("silent")
                gaps.append((frame.rawValue, nil))
            case .heard(let frame):
                words.append("heard")
                if !gaps.isEmpty { gaps[gaps.count - 1].end = frame.rawValue }
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
        #expect(server.heard() == ["silent", "heard", "placed"])
        #expect(server.player.report.lateRewrites == 0 && server.player.report.rewrites == 1)
    }

    /// A change that came in time leaves what was played as it was.
    @Test(arguments: [(128, 0, true, false), (1_024, 0, true, false), (128, 0, true, true), (1_024, 0, true, true),
                      (96, 0, false, false), (480, 240, false, false)])
    func `no sink has taken frames before they change unnoticed`(block: Int64, reserve: Int64, isStepwise: Bool, isHeldUp: Bool) {
        var server = Server(block: block, reserve: reserve, isStepwise: isStepwise, isHeldUp: isHeldUp)
        server.player.openStream(step: isStepwise ? FrameCount(128) : nil)
        server.pass(milliseconds: 3_000)
        #expect(server.player.mode == .live)
        var generator = SplitMix64(seed: 9)
        var lates = 0
        var wrong = 0
        for number in 0..<150 {
            // Now and then one takes ten times as long.
            let isSlow = number % 25 == 24
            let due = server.due
            let ticks = Int.random(in: 2...5, using: &generator) * (isSlow ? 10 : 1)
            let start = server.act(number % 2 == 0 ? on : [.gate(open: false)], ticks: ticks)
            server.pass(ticks: .random(in: 20...1_000, using: &generator))
            guard let start else { Issue.record("nothing is revised"); return }
            #expect(isSlow || number < 20 || start - Int(due) <= 2 * Int(block) + Int(reserve) + 400, "it is quick, too")
            lates += server.heard().contains("late") ? 1 : 0
            let changed = server.played.indices.suffix(20_000).filter { server.played[$0] != server.stream[$0] }
            #expect(changed.allSatisfy { (start..<(start + server.late)).contains($0) }, "but for what is told as late")
            wrong += changed.count
            server.stream.replaceSubrange(..<server.played.count, with: server.played)
        }
        #expect(lates <= 12, "the six slow ones, and as many for caution")
        #expect(wrong > 0 || block == 1_024, "the slow ones were late indeed")
        #expect(server.player.report.rewrites == 150)
    }

    @Test func `events go on while there is no server, and the tone is there when it is`() {
        var server = Server()
        server.pass(milliseconds: 100)
        server.act(on)
        #expect(server.heard() == ["silent", "placed"])
        server.player.openStream()
        server.pass(milliseconds: 500)
        #expect(server.played.suffix(4_800).contains { $0.magnitude > 0.4 })
        #expect(largestStep(server.played) < Self.smooth, "it comes in softly")
    }

    @Test(arguments: [false, true])
    func `a sink that stands still is told, and goes on softly at the right place`(isStepwise: Bool) {
        var server = Server(isStepwise: isStepwise)
        server.player.openStream(step: isStepwise ? FrameCount(128) : nil)
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
        #expect(server.player.written - server.read <= 13_000, "nothing is put further ahead than the queue is long")
    }

    @Test func `a queue that runs dry is counted and journaled, and the tone comes back softly`() {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 500)
        server.act(on)
        server.pass(milliseconds: 300)
        #expect(server.heard() == ["silent", "heard", "placed"])
        // Half a second in which nobody writes.
        server.now += 500_000_000
        server.pass(milliseconds: 300)
        #expect(server.heard() == ["silent", "heard"])
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
        #expect(server.heard() == ["silent", "heard", "late"])
    }

    /// In frames of commands: 48 later they are heard.
    private func gap(_ server: inout Server) throws -> (start: Int64, end: Int64?) {
        _ = server.heard()
        let gap = try #require(server.gaps.last)
        return (gap.start + 48, gap.end.map { $0 + 48 })
    }

    @Test func `before the first sound nothing was heard, and that is over when it has been written in time, and faded in`() throws {
        var server = Server()
        server.pass(milliseconds: 300)
        server.act(on)
        server.pass(milliseconds: 100)
        server.player.openStream()
        server.pass(milliseconds: 500)
        let first = try #require(server.played.firstIndex { $0 != 0 })
        let gap = try gap(&server)
        #expect(gap.start == 0)
        // The very first sample of the fade is 0.
        #expect(gap.end == server.player.origin + Int64(first) - 1 + 240)
    }

    @Test func `a server that is lost: what it said last is when the gap begins, and not when that is noticed`() throws {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 1_000)
        server.act(on)
        server.pass(milliseconds: 513)
        let heard = server.player.origin + server.due
        // It stands still for 280 ms, and is gone.
        server.isStuck = true
        server.pass(milliseconds: 280)
        server.player.closeStream(fault: 0, now: server.now)
        let gap = try gap(&server)
        #expect(gap.end == nil && (heard - 960 - 96...heard).contains(gap.start), "\(gap.start), heard \(heard)")
        #expect(server.player.report.settled.rawValue + 48 > heard, "and that what follows was not heard is settled")
    }

    @Test func `a server that stalls: from where it stood on nothing was heard`() throws {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 1_000)
        server.act(on)
        server.pass(milliseconds: 507)
        let heard = server.player.origin + server.due
        server.isStuck = true
        server.pass(milliseconds: 700)
        let gap = try gap(&server)
        #expect(gap.end == nil && (heard - 960 - 96...heard).contains(gap.start), "\(gap.start), heard \(heard)")
    }

    /// As when thrumd goes on after a stop: it is asked for more and writes it before it hears that the server has run dry.
    @Test func `a queue that ran dry long ago: the gap begins where it did, whatever has been written since`() throws {
        var server = Server()
        server.player.openStream()
        server.pass(milliseconds: 1_000)
        server.act(on)
        server.pass(milliseconds: 307)
        _ = server.heard()
        let end = server.player.written
        server.now += 900_000_000
        server.player.stoodStill(until: server.now)
        #expect(server.player.stall(after: 300_000_000, now: server.now) == nil, "it may not be the server that stood still")
        server.player.wasAsked(now: server.now)
        server.write(Stretch(offset: 0, count: 9_600))
        // What happens just then.
        server.stage([.gate(open: false)])
        let change = server.player.revise(now: server.now)
        #expect(change == nil)
        server.runDry(at: end)
        let gap = try gap(&server)
        #expect(gap.start == server.player.origin + end)
        server.pass(milliseconds: 300)
        let isSilent = server.played.dropFirst(Int(end) + 1).allSatisfy { $0 == 0 }
        #expect(isSilent && server.player.mode == .live)
    }

    @Test func `what is certain to have been heard goes on with the sink, and no further than what was written`() {
        var server = Server()
        server.player.openStream()
        for _ in 0..<100 {
            server.pass(milliseconds: 20)
            guard server.player.mode == .live else { continue }
            let heard = server.player.origin + server.due - 48
            #expect((heard - 960...heard).contains(server.player.report.settled.rawValue) || server.player.report.settled < .zero)
        }
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
