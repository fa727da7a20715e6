import Realtime
import Signals
import Synth
import Units

/// A sound server that plays what it was last given for each frame, and the control side in front of it.
struct Bench: ~Copyable {
    var renderer: Renderer
    var control: RingProducer<Instruction>
    var notices: RingConsumer<Notice>
    var reports: LatestReader<OutputReport>
    /// By frame, as last written.
    var written: [Float] = []
    /// What the events do, by the frame each was given.
    var placed: [StampedCommand] = []
    var waiting: [[SynthCommand]] = []

    init(_ settings: EngineSettings = EngineSettings(), noticeCapacity: Int = 4096) {
        let instructions = Ring.make(of: Instruction.self, capacity: 4096)
        let notices = Ring.make(of: Notice.self, capacity: noticeCapacity)
        let reports = Latest.make(OutputReport())
        renderer = Renderer(settings, instructions: instructions.consumer, notices: notices.producer,
                            reports: reports.writer)
        control = instructions.producer
        self.notices = notices.consumer
        self.reports = reports.reader
    }

    mutating func send(_ commands: [SynthCommand], due: Int, gap: Int = 0) {
        _ = control.stage(.event(due: Due(Frame(Int64(due))), gap: FrameCount(Int64(gap))))
        for command in commands { _ = control.stage(.command(command)) }
        control.publish()
        waiting.append(commands)
    }

    mutating func fill(to frame: Int, block: Int = 500) {
        while renderer.position < Frame(Int64(frame)) {
            let start = Int(renderer.position.rawValue)
            let count = min(block, frame - start)
            if written.count < start + count { written += Array(repeating: .nan, count: start + count - written.count) }
            written.withUnsafeMutableBufferPointer { buffer in
                var span = buffer.mutableSpan
                renderer.render(into: &span, at: start, count: count)
            }
        }
    }

    /// Overwrites from `earliest` what the events that wait change. Returns where overwriting began.
    mutating func revise(from earliest: Int) -> Int? {
        let end = Int(renderer.position.rawValue)
        let isChanged = renderer.revise(from: Frame(Int64(earliest)))
        let from = Int(renderer.position.rawValue)
        while let notice = notices.peek() {
            if case .placed(let frame) = notice {
                placed += waiting.removeFirst().map { StampedCommand($0, at: frame) }
            }
            notices.drop()
        }
        fill(to: end)
        return isChanged ? from : nil
    }
}
