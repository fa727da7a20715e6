import Glibc

/// The fast Fourier transform of real samples under a Hann window, in double precision. The algorithm is Cooley and Tukey's of radix 2
/// (Mathematics of Computation 19, 1965). Real samples are transformed as half as many complex ones (Brigham, The Fast Fourier Transform,
/// 1974, 10-10).
struct FourierTransform {
    /// The number of samples of a window, a power of two from 4.
    let size: Int
    private let window: [Double]
    /// The order in which the algorithm reads pairs of samples: for each new index the old index, which has the bits reversed.
    private let readingOrder: [Int]
    /// The cosines and sines of e^(−2πik/size), for k from 0 to half of the size.
    private let cosines: [Double]
    private let sines: [Double]
    /// The cosines and sines that each round of the algorithm uses, one round after the other.
    private let passes: (cosines: [Double], sines: [Double])
    private var real: [Double]
    private var imaginary: [Double]

    init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0, "a power of two")
        self.size = size
        window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
        let half = size / 2
        let bits = half.trailingZeroBitCount
        readingOrder = (0..<half).map { index in (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 } }
        let cosines = (0..<half).map { cos(2 * .pi * Double($0) / Double(size)) }
        let sines = (0..<half).map { -sin(2 * .pi * Double($0) / Double(size)) }
        // A pass that makes 2·n of n takes every (size / 2n)th.
        let steps = (0..<bits).flatMap { pass in (0..<1 << pass).map { $0 * (half >> pass) } }
        passes = (steps.map { cosines[$0] }, steps.map { sines[$0] })
        (self.cosines, self.sines) = (cosines, sines)
        real = [Double](repeating: 0, count: half)
        imaginary = real
    }

    /// Returns the mean squares by frequency. Bin k stands for k/size of the rate, from 0 to half of the rate. The sum of all bins is the
    /// mean of the samples' squares, weighted by the squared window.
    mutating func meanSquares(of samples: ArraySlice<Float>) -> [Double] {
        precondition(samples.count == size, "a whole window")
        let half = size / 2
        samples.withUnsafeBufferPointer { samples in
            for (pair, index) in readingOrder.enumerated() {
                real[index] = Double(samples[2 * pair]) * window[2 * pair]
                imaginary[index] = Double(samples[2 * pair + 1]) * window[2 * pair + 1]
            }
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                passes.cosines.withUnsafeBufferPointer { cosines in
                    passes.sines.withUnsafeBufferPointer { sines in
                        Self.transform(real, imaginary, cosines, sines)
                    }
                }
            }
        }
        // Parseval's theorem; the squares of a Hann window have the mean 3/8.
        let scale = 1 / (Double(size) * Double(size) * 3 / 8)
        return [Double](unsafeUninitializedCapacity: half + 1) { squares, count in
            let (first, last) = (real[0] + imaginary[0], real[0] - imaginary[0])
            squares.initializeElement(at: 0, to: first * first * scale)
            squares.initializeElement(at: half, to: last * last * scale)
            for k in 1..<half {
                // The transforms of the even and of the odd samples, from both ends of that of the pairs.
                let evens = (x: (real[k] + real[half - k]) / 2, y: (imaginary[k] - imaginary[half - k]) / 2)
                let odds = (x: (imaginary[k] + imaginary[half - k]) / 2, y: (real[half - k] - real[k]) / 2)
                let x = evens.x + odds.x * cosines[k] - odds.y * sines[k]
                let y = evens.y + odds.x * sines[k] + odds.y * cosines[k]
                squares.initializeElement(at: k, to: 2 * (x * x + y * y) * scale)
            }
            count = half + 1
        }
    }

    private static func transform(_ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
                                  _ cosines: UnsafeBufferPointer<Double>, _ sines: UnsafeBufferPointer<Double>) {
        var half = 1
        while half < real.count {
            for start in Swift.stride(from: 0, to: real.count, by: 2 * half) {
                for k in 0..<half {
                    let (low, high) = (start &+ k, start &+ k &+ half)
                    // The passes before have half − 1 of them.
                    let (c, s) = (cosines[half &- 1 &+ k], sines[half &- 1 &+ k])
                    let (x, y) = (real[high] * c - imaginary[high] * s, real[high] * s + imaginary[high] * c)
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
    }
}
