import Realtime
import Signals
import Synth
import Units

/// What it costs to take back 200 ms and render them again, with a tone, with a tone and a texture, and with a tone and 32 notes
/// sounding. With the argument `notes` or `textures`: with none, one, two and so on, a line for each number and its median in microseconds.
@main struct RevisionBenchmark: ~Copyable {
    private static let queue = 9_600
    private static let rounds = 2_000

    private var control: RingProducer<Instruction>
    private var notices: RingConsumer<Notice>
    private var renderer: Renderer
    private var samples = [Float](repeating: 0, count: queue)
    private var now = Frame.zero

    static func main() {
        guard let purr = Theme.standard.textures["purr-healthy"] else { preconditionFailure("the standard theme purrs") }
        let note = NoteCommand(ChimeNote(start: .zero, frequency: Hertz(1_000), level: Decibels(-40),
                                         attack: .milliseconds(3), decay: Seconds(30),
                                         partials: [Partial(ratio: 1, level: Decibels(0))]))
        switch CommandLine.arguments.dropFirst().first {
        case "notes": grow([0, 1, 2, 4, 8, 16, 32]) { count in (0..<count).map { _ in .note(note) } }
        case "textures": grow([0, 1, 2, 4]) { count in (0..<count).map { .texture(purr, id: UInt64($0 + 1)) } }
        default: compare(purr, note)
        }
    }

    /// With so many of something that sounds from the beginning on.
    private static func grow(_ counts: [Int], _ begin: (Int) -> [SynthCommand]) {
        for count in counts {
            var benchmark = RevisionBenchmark()
            let median = benchmark.measure(nil) {
                ($0 == 0 ? begin(count) : []) + [.gate(open: $0.isMultiple(of: 2)), .level(Decibels(-12))]
            }
            print(count, median)
        }
    }

    private static func compare(_ purr: Texture, _ note: NoteCommand) {
        var benchmark = RevisionBenchmark()
        let plain = benchmark.measure("revising 200 ms of a tone:") { [.gate(open: $0.isMultiple(of: 2)), .level(Decibels(-12))] }
        let textured = benchmark.measure("revising 200 ms of a tone and a texture:") {
            ($0 == 0 ? [.texture(purr, id: 1)] : []) + [.gate(open: $0.isMultiple(of: 2)), .level(Decibels(-12))]
        }
        print("with a texture it takes \((100 * textured + plain / 2) / plain) % of that without")
        benchmark.measure("revising 200 ms of a tone and 32 notes:") { ($0 == 0 ? [.endTexture(id: 1)] : []) + [.note(note)] }
    }

    private init() {
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: 4096)
        let reports = Latest.make(OutputReport())
        renderer = Renderer(EngineSettings(), instructions: instructions.consumer, notices: notices.producer,
                            reports: reports.writer)
        control = instructions.producer
        self.notices = notices.consumer
    }

    /// Returns the median, in microseconds.
    @discardableResult
    private mutating func measure(_ label: String?, _ commands: (Int) -> [SynthCommand]) -> Int {
        var durations: [Duration] = []
        for round in 0..<Self.rounds {
            fill()
            _ = control.stage(.event(due: Due(now), gap: .zero))
            for command in commands(round) { _ = control.stage(.command(command)) }
            control.publish()
            let begin = ContinuousClock.now
            _ = renderer.revise(from: now)
            fill()
            durations.append(ContinuousClock.now - begin)
            while notices.peek() != nil { notices.drop() }
            now = now + FrameCount(480)
        }
        durations.sort()
        func microseconds(_ share: Int) -> Int { Int(durations[Self.rounds * share / 100].components.attoseconds / 1_000_000_000_000) }
        if let label { print("\(label) median \(microseconds(50)) µs, p95 \(microseconds(95)) µs") }
        return microseconds(50)
    }

    /// Renders up to 200 ms after `now`.
    private mutating func fill() {
        let count = Int((now - renderer.position).rawValue) + Self.queue
        samples.withUnsafeMutableBufferPointer { buffer in
            var span = buffer.mutableSpan
            renderer.render(into: &span, at: 0, count: count)
        }
    }
}
