import Realtime
import Signals
import Synth
import TestSupport
import Units

@testable import AudioOutput

/// A sound server in a few lines: it takes a block when what it took before has been played, and keeps what it has played. Where one write
/// ends within a block, it takes up to a whole block of the next one, too, as PulseAudio does.
struct Server: ~Copyable {
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
    /// Where writes begin.
    private var seams: Set<Int64> = []
    /// Frames it has in hand when it takes more.
    private let reserve: Int64
    /// Whether it tells only how many blocks it has taken, and that a little late, as PipeWire does. It is not as punctual
    /// either.
    private let isStepwise: Bool
    /// Whether its machine stands still for some milliseconds several times a second.
    private let isHeldUp: Bool
    /// Whether it is a card: it never goes back, and has taken a little more than it tells.
    private let isCard: Bool
    /// Between two parts of a change nobody writes anything else.
    private var isChanging = false
    private var heldUntil: Int64 = 0
    private var told: Int64 = 0
    private(set) var late = 0
    /// Frames of commands from which on, and up to which, nothing was heard, as told.
    private(set) var gaps: [(start: Int64, end: Int64?)] = []
    private var generator = SplitMix64(seed: 3)

    /// `block` and `reserve` in frames.
    init(block: Int64 = 96, reserve: Int64 = 0, isStepwise: Bool = false, isHeldUp: Bool = false, isCard: Bool = false) {
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 4096)
        let reports = Latest.make(OutputReport())
        let renderer = Renderer(EngineSettings(), instructions: instructions.consumer, notices: notices.producer,
                                reports: reports.writer)
        player = Player(renderer, queue: .milliseconds(200), bell: Doorbell(), state: .waiting, now: now, isCard: isCard)
        control = instructions.producer
        self.notices = notices.consumer
        self.block = block
        self.reserve = reserve
        self.isStepwise = isStepwise
        self.isHeldUp = isHeldUp
        self.isCard = isCard
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
        seams = seams.filter { $0 < write.start }
        seams.insert(Int64(write.start))
        guard write.start < read, !isStepwise, !isCard else { return }
        // As PulseAudio does: the sink goes back to what it has not played, but a frame of it has been handed on.
        read = max(Int64(write.start), min(read, due))
        played.removeLast(max(0, played.count - Int(read) - 1))
    }

    var timing: Timing {
        if isCard { return Timing(read: max(0, read - 12), written: player.written, held: 0, moment: now) }
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
            let end = isStepwise || isCard ? read + block : endOfStep
            for frame in Int(read)..<Int(end) where frame >= played.count { played.append(frame < stream.count ? stream[frame] : 0) }
            read = end
        }
    }

    private var endOfStep: Int64 {
        var end = read
        while end - read < block { end = min(end + block, seams.filter { $0 > end }.min() ?? .max) }
        return end
    }

    /// Time passes; the server asks, and is asked every 20 ms.
    mutating func advance(milliseconds: Int = 1) { advance(ticks: milliseconds * 10) }

    mutating func advance(ticks: Int) {
        for _ in 0..<ticks {
            now += Self.tick
            if player.mode == .free { player.runFree(now: now) }
            guard player.mode != .free else { continue }
            told = read
            take()
            if read > player.written { runDry(at: player.written) }
            let missing = 9_600 - (player.written - read)
            if missing >= 2_400, !isChanging {
                if !isStuck { player.wasAsked(now: now) }
                write(Stretch(offset: 0, count: missing))
            }
            if player.mode != .live { player.runFree(now: now) }
            if let stretch = player.stall(after: 300_000_000, now: now) { write(stretch) }
            if now % 20_000_000 == 0, !isChanging { tell() }
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
            advance(ticks: 1)
            tell()
        }
        let end = player.written
        guard let stretch = player.revise(now: now) else { return nil }
        let moment = now
        let change = render(stretch)
        advance(ticks: ticks)
        arrive(change)
        _ = player.landed(from: end + stretch.offset, at: moment, timing, now: now)
        return change.start
    }

    /// The same in parts, of which the first takes so many ticks to arrive, and each of the others some others. On a card there are two.
    /// Returns what it changes.
    mutating func change(_ commands: [SynthCommand], ticks: Int, othersTicks: Int) -> Range<Int>? {
        stage(commands)
        tell()
        let moment = now
        guard let stretch = player.revise(now: now) else { return nil }
        isChanging = true
        defer { isChanging = false }
        var changed: Range<Int>?
        let counts = isCard ? [min(960, stretch.count), max(0, stretch.count - 960)] : Array(player.parts(of: stretch))
        for count in counts {
            let part = render(Stretch(offset: changed == nil ? stretch.offset : 0, count: count))
            advance(ticks: changed == nil ? ticks : othersTicks)
            arrive(part)
            if changed == nil {
                _ = player.landed(from: Int64(part.start), at: moment, timing, now: now)
            } else {
                player.followed(from: Int64(part.start), timing)
            }
            changed = (changed?.lowerBound ?? part.start)..<part.start + part.frames.count
        }
        return changed
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

let on: [SynthCommand] = [.level(Decibels(-6)), .gate(open: true)]
