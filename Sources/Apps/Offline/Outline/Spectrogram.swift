import Glibc
import Units

/// How much of which frequency there was at most at which time, by columns of equal length and rows of equal parts of an octave; gathered
/// front to back. All that sounds is in it, however short it is beside a column.
public struct Spectrogram: Sendable {
    public static let rows = 180
    public let columns: Int
    /// From the lower edge of the lowest row to the upper edge of the highest, in Hz.
    public let frequencies: ClosedRange<Double>

    private var transform: FourierTransform
    /// Of each row, the bins that it shows.
    private let bins: [Row]
    private let frames: Int64
    /// Frames from the middle of one window to the middle of the next.
    private let hop: Int64
    /// What has not been transformed yet. It begins with half a window of silence, so that the first window's middle is the first frame.
    private var pending: [Float]
    /// Samples at its end that are silence: of windows of nothing else there is nothing to transform.
    private var quiet: Int
    /// Where the next window begins in `pending`, and its middle.
    private var next = 0
    private var middle: Int64 = 0
    /// The largest mean squares, by columns and then by rows from low to high, and whether they are of any window.
    private var squares: [Double]
    private var hasWindow: [Bool]

    /// Narrow rows lie between two bins, wide ones have several.
    private enum Row {
        case between(Int, part: Double)
        case most(ClosedRange<Int>)
    }

    /// Of so many frames. `columns` is 1 and up.
    init(rate: SampleRate, frames: Int64, columns: Int) {
        // Windows of 60 to 120 ms: notes a few hertz apart are one, but a chime's beginning is seen.
        let size = switch rate.hertz {
        case ...12_000: 1_024
        case ...24_000: 2_048
        case ...48_000: 4_096
        case ...96_000: 8_192
        default: 16_384
        }
        transform = FourierTransform(size: size)
        self.columns = columns
        self.frames = max(1, frames)
        let column = self.frames / Int64(columns)
        hop = max(Int64(size / 8), min(column, Int64(size / 2)))
        pending = [Float](repeating: 0, count: size / 2)
        quiet = size / 2
        squares = [Double](repeating: 0, count: columns * Self.rows)
        hasWindow = [Bool](repeating: false, count: columns)
        let range = 40...min(16_000, Double(rate.hertz) / 2)
        frequencies = range
        let width = Double(rate.hertz) / Double(size)
        let octaves = Glibc.log2(range.upperBound / range.lowerBound)
        bins = (0..<Self.rows).map { row in
            func edge(_ row: Double) -> Double { range.lowerBound * Glibc.exp2(octaves * row / Double(Self.rows)) / width }
            let (low, high) = (Int(edge(Double(row)).rounded(.up)), min(size / 2, Int(edge(Double(row) + 1))))
            let middle = edge(Double(row) + 0.5)
            return high > low ? .most(low...high) : .between(min(Int(middle), size / 2 - 1), part: middle - middle.rounded(.down))
        }
    }

    /// The next frames.
    mutating func add(_ samples: Span<Float>) {
        if samples.isSilent {
            pending.append(contentsOf: repeatElement(0, count: samples.count))
            quiet += samples.count
        } else {
            for index in samples.indices { pending.append(samples[index]) }
            quiet = 0
        }
        transformPending()
    }

    /// After the last frame.
    mutating func finish() {
        pending += [Float](repeating: 0, count: transform.size / 2)
        quiet += transform.size / 2
        transformPending()
    }

    /// In dB, by columns and then by rows from low to high: a sine of full scale has about 0. Silence has less than −150.
    public var levels: [Double] {
        var last = 0
        return (0..<columns).flatMap { column in
            // Where windows are further apart than columns, the one before is shown.
            if hasWindow[column] { last = column }
            return (0..<Self.rows).map { 10 * log10(squares[last * Self.rows + $0] + 1e-16) }
        }
    }

    private mutating func transformPending() {
        while pending.count - next >= transform.size, middle < frames {
            defer {
                next += Int(hop)
                middle += hop
            }
            let column = Int(middle * Int64(columns) / frames)
            hasWindow[column] = true
            guard quiet < pending.count - next else { continue }
            let found = transform.meanSquares(of: pending[next..<(next + transform.size)])
            for (row, bin) in bins.enumerated() {
                let square = switch bin {
                case .between(let low, let part): found[low] * (1 - part) + found[low + 1] * part
                case .most(let range): found[range].max() ?? 0
                }
                // Of a sine, a Hann window leaves 2/3 in the bin in its middle; a sine of full scale has the mean square 1/2.
                squares[column * Self.rows + row] = max(squares[column * Self.rows + row], square * 3)
            }
        }
        let done = min(next, pending.count)
        pending.removeFirst(done)
        next -= done
    }
}
