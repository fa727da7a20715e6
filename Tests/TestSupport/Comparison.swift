import Foundation

/// A recording of what was heard, against the render of the journal; both begin with silence.
public struct Comparison {
    /// Where they differ, in frames of the render.
    public private(set) var faults: [Fault] = []

    public struct Fault: CustomStringConvertible, Sendable {
        public enum Kind: Sendable {
            /// Silence amid sound: the server played nothing.
            case dropout
            /// From here on everything is heard at another time: the server stood still, or left something out.
            case slip
            /// Something else was heard.
            case wrong
            /// The recording is over.
            case missing
            /// The first sound was in a discontinuity: there is nothing to align by.
            case unaligned
        }

        public var kind: Kind
        public var frames: Range<Int>
        public var description: String { "\(kind) \(frames)" }
    }

    private let heard: [UInt32]
    private var expected: [UInt32]
    /// So long two stretches have to agree to be taken for the same: more than any block of a server's.
    private static let agreement = 4_800

    /// Where a journal says that something else was heard.
    public static func discontinuities(in journal: String) throws -> [Range<Int>] {
        try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").filter { $0.contains(#""discontinuity":"#) }.compactMap {
            let entry = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            guard let start = entry?["frame"] as? Int else { throw WaveFile.Malformed(description: "a discontinuity without a frame: \($0)") }
            // The first line of a gap says only that it began.
            guard let count = entry?["frames"] as? Int else { return nil }
            // What is heard of a frame's commands comes a look-ahead of 1 ms later.
            return start..<(start + 48 + count)
        }
    }

    /// Whatever was heard in `discontinuities` counts as expected.
    public init(heard: [UInt32], expected: [UInt32], discontinuities: [Range<Int>]) {
        self.heard = heard
        self.expected = expected
        guard let heardStart = heard.firstIndex(where: { $0 != 0 }), let start = expected.firstIndex(where: { $0 != 0 }) else {
            faults = [Fault(kind: .missing, frames: expected.indices)]
            return
        }
        var offset = heardStart - start
        guard !discontinuities.contains(where: { $0.contains(start) }) else {
            faults = [Fault(kind: .unaligned, frames: expected.indices)]
            return
        }
        excuse(discontinuities, from: start, offset: offset)
        var frame = start
        while let first = firstDifference(from: frame, offset: offset) {
            guard offset + first < heard.count else {
                faults.append(Fault(kind: .missing, frames: first..<expected.count))
                return
            }
            if let end = firstAgreement(from: first, offset: offset) {
                let isSilent = first > start && expected[first - 1] != 0
                    && heard[(offset + first)..<(offset + end)].allSatisfy { $0 == 0 }
                faults.append(Fault(kind: isSilent ? .dropout : .wrong, frames: first..<end))
                frame = end
            } else if let shift = shift(from: first, offset: offset) {
                faults.append(Fault(kind: .slip, frames: first..<(first + abs(shift))))
                offset += shift
                frame = shift > 0 ? first : first - shift
                excuse(discontinuities, from: frame, offset: offset)
            } else {
                faults.append(Fault(kind: .wrong, frames: first..<expected.count))
                return
            }
        }
    }

    private mutating func excuse(_ discontinuities: [Range<Int>], from start: Int, offset: Int) {
        for frame in discontinuities.joined() where frame >= start && frame < expected.count && heard.indices.contains(frame + offset) {
            expected[frame] = heard[frame + offset]
        }
    }

    private func agree(at frame: Int, offset: Int) -> Bool {
        let count = min(Self.agreement, expected.count - frame)
        guard count > 0, frame + offset >= 0, frame + offset + count <= heard.count else { return false }
        return expected[frame..<(frame + count)] == heard[(frame + offset)..<(frame + offset + count)]
    }

    private func firstDifference(from frame: Int, offset: Int) -> Int? {
        var frame = frame
        while frame < expected.count {
            if agree(at: frame, offset: offset) { frame += Self.agreement; continue }
            let end = min(frame + Self.agreement, expected.count)
            for index in frame..<end where index + offset >= heard.count || expected[index] != heard[index + offset] { return index }
            frame = end
        }
        return nil
    }

    /// Where the two agree again for long, within a fifth of a second.
    private func firstAgreement(from frame: Int, offset: Int) -> Int? {
        (frame...(frame + 9_600)).first { $0 < expected.count && expected[$0] == heard[min(heard.count - 1, $0 + offset)]
            && agree(at: $0, offset: offset) }
    }

    /// By how many frames later, or earlier if it is negative, the rest is heard: half a second at most. Where something else is wrong with
    /// one place, another tells.
    private func shift(from frame: Int, offset: Int) -> Int? {
        let probes = (1...10).lazy.map { frame + $0 * 9_600 }.filter { $0 + 480 <= expected.count && !isSilent($0) }
        return probes.compactMap { probe in (1...24_000).lazy.flatMap { [$0, -$0] }.first { agree(at: probe, offset: offset + $0) } }.first
    }

    private func isSilent(_ frame: Int) -> Bool {
        frame >= expected.count || expected[frame..<min(expected.count, frame + Self.agreement)].allSatisfy { $0 == 0 }
    }
}
