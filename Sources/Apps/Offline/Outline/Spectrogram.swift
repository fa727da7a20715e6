import Glibc
import Units

/// The largest level of each frequency at each time. Its columns are equal lengths of time, and its rows are equal parts of an octave. It
/// is built from the sound's beginning to its end. It shows all sound, even sound that is much shorter than a column.
public struct Spectrogram: Sendable {
    public static let rows = 180
    public let columns: Int
    /// The range of frequencies, from the lower edge of the lowest row to the upper edge of the highest, in Hz.
    public let frequencies: ClosedRange<Double>

    private var transform: FourierTransform
    /// The bins of the transform that each row shows.
    private let bins: [Row]
    private let frames: Int64
    /// The number of frames from the middle of one window to the middle of the next.
    private let hop: Int64
    /// The samples that have not been transformed yet. Half a window of silence comes first, so that the first window's middle is the first
    /// frame.
    private var pending: [Float]
    /// The number of silent samples at the end of `pending`. A window that has only silent samples need not be transformed.
    private var quiet: Int
    /// The index in `pending` at which the next window starts. `middle` is the frame in that window's middle.
    private var next = 0
    private var middle: Int64 = 0
    /// The largest mean squares, one column after the other, each with its rows from low to high. `hasWindow` says which columns have
    /// values.
    private var squares: [Double]
    private var hasWindow: [Bool]

    /// The bins of a row. A narrow row lies between two bins, and a wide row has several.
    private enum Row {
        case between(Int, part: Double)
        case most(ClosedRange<Int>)
    }

    /// Starts a spectrogram for `frames` frames of sound that `add` gets later. `columns` is 1 or more.
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

    /// Adds the next frames.
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

    /// Ends the sound, after the last frame.
    mutating func finish() {
        pending += [Float](repeating: 0, count: transform.size / 2)
        quiet += transform.size / 2
        transformPending()
    }

    /// The levels in dB, one column after the other, each with its rows from low to high. A sine of full scale has about 0; silence has
    /// less than −150.
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
