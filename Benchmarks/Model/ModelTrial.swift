import Classifier
import Fields
import Glibc
import ModelFile
import SystemPackage

/// What predictions cost, and what they are: `ModelTrial speed`, or `ModelTrial NAME,NAME…` for `scripts/try-models`.
@main enum ModelTrial {
    static func main() throws {
        switch CommandLine.arguments.dropFirst().first {
        case "speed"?: Speed.measure()
        case let names?: try Answers(inputs: names.split(separator: ",").map(String.init)).serve()
        case nil: fatalError("usage: ModelTrial speed | NAME,NAME…")
        }
    }
}

/// Answers models with log-odds. In and out there are frames: a length of four bytes, little-endian, and as many bytes. The first frame has
/// rows of float32, each following one a model; its answer is a double for each row, or an empty frame where the model is refused.
struct Answers {
    let inputs: [String]

    func serve() throws {
        let rows = try Frames.read().map { frame in
            stride(from: 0, to: frame.count, by: 4).map { start in
                Float(bitPattern: frame[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
            }
        }
        guard let rows else { return }
        while let model = try Frames.read() { try Frames.write(answer(model, rows)) }
    }

    private func answer(_ model: [UInt8], _ rows: [Float]) -> [UInt8] {
        guard let classifier = try? Classifier(model, name: "", inputs: inputs) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count / inputs.count * 8)
        for row in stride(from: 0, to: rows.count, by: inputs.count) {
            let logOdds = classifier.logOdds(rows.span.extracting(row..<row + inputs.count))
            withUnsafeBytes(of: logOdds.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

enum Frames {
    /// Returns the next frame; nil at the end.
    static func read() throws -> [UInt8]? {
        guard let length = try bytes(4) else { return nil }
        return try bytes(Int(length.reversed().reduce(0) { $0 << 8 | UInt32($1) }))
    }

    static func write(_ frame: [UInt8]) throws {
        _ = try withUnsafeBytes(of: UInt32(frame.count).littleEndian) { try FileDescriptor.standardOutput.writeAll($0) }
        try FileDescriptor.standardOutput.writeAll(frame)
    }

    private static func bytes(_ count: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = try bytes.withUnsafeMutableBytes { buffer in
                try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            }
            guard read > 0 else { return nil }
            filled += read
        }
        return bytes
    }
}

/// What a prediction costs: trees whose branches nobody foresees, over rows that differ.
enum Speed {
    private static let inputs = 11
    private static let rows = 20_000

    static func measure() {
        var random = SystemRandomNumberGenerator()
        let trees = (0..<100).map { _ in tree(levels: 6, &random) }
        let ensemble = TreeEnsemble(base: 0, trees: trees)
        let classifier = Classifier(name: "", digest: "", inputs: (0..<inputs).map { "\($0)" }, form: .trees(ensemble))
        let values = (0..<inputs * rows).map { _ in Float.random(in: 0..<1, using: &random) }
        var fastest = Double.infinity
        var sum = 0.0
        for _ in 0..<5 {
            let start = processorTime()
            for row in 0..<rows { sum += classifier.logOdds(values.span.extracting(row * inputs..<(row + 1) * inputs)) }
            fastest = min(fastest, (processorTime() - start) / Double(rows))
        }
        precondition(sum.isFinite)
        let hundredths = Int((fastest * 1e8).rounded())
        print("µs a prediction by 100 trees of depth 6: \(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10) (aim: at most 2)")
    }

    /// A full tree, level by level.
    private static func tree(levels: Int, _ random: inout some RandomNumberGenerator) -> [TreeEnsemble.Node] {
        let branches = (1 << levels) - 1
        return (0..<2 * branches + 1).map { index in
            index >= branches ? .leaf(Double.random(in: -1..<1, using: &random))
                : .branch(input: Int.random(in: 0..<inputs, using: &random), relations: [.less, .equal],
                          threshold: Double.random(in: 0..<1, using: &random), then: 2 * index + 1, otherwise: 2 * index + 2)
        }
    }

    /// The seconds of processor time that this thread has had: others have this machine, too.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
