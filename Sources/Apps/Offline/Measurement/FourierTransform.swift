import Glibc

/// The fast Fourier transform of real samples under a Hann window: Cooley and Tukey's of radix 2 (Mathematics of Computation 19, 1965), in
/// double precision.
struct FourierTransform {
    /// Samples a window, a power of two.
    let size: Int
    private let window: [Double]
    /// Where each sample goes: its place with its bits in the opposite order.
    private let places: [Int]
    /// e^(−2πik/size), as cosines and sines.
    private let cosines: [Double]
    private let sines: [Double]
    private var real: [Double]
    private var imaginary: [Double]

    init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0, "a power of two")
        self.size = size
        window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
        let bits = size.trailingZeroBitCount
        places = (0..<size).map { place in (0..<bits).reduce(0) { $0 << 1 | place >> $1 & 1 } }
        cosines = (0..<size / 2).map { cos(2 * .pi * Double($0) / Double(size)) }
        sines = (0..<size / 2).map { -sin(2 * .pi * Double($0) / Double(size)) }
        real = [Double](repeating: 0, count: size)
        imaginary = real
    }

    /// Mean squares, by frequencies: bin k stands for k/size of the rate, from 0 to half of it. Their sum is the mean of the samples'
    /// squares, weighted by the window's.
    mutating func meanSquares(of samples: ArraySlice<Float>) -> [Double] {
        precondition(samples.count == size, "a whole window")
        for (place, sample) in samples.enumerated() {
            real[places[place]] = Double(sample) * window[place]
            imaginary[places[place]] = 0
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        Self.transform(real, imaginary, cosines, sines)
                    }
                }
            }
        }
        // Parseval's theorem; the squares of a Hann window have the mean 3/8.
        let scale = 1 / (Double(size) * Double(size) * 3 / 8)
        return (0...size / 2).map { k in
            let power = (real[k % size] * real[k % size] + imaginary[k % size] * imaginary[k % size]) * scale
            return k == 0 || k == size / 2 ? power : 2 * power
        }
    }

    private static func transform(_ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
                                  _ cosines: UnsafeBufferPointer<Double>, _ sines: UnsafeBufferPointer<Double>) {
        let size = real.count
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            for start in Swift.stride(from: 0, to: size, by: 2 * half) {
                for k in 0..<half {
                    let (low, high) = (start &+ k, start &+ k &+ half)
                    let (c, s) = (cosines[k &* stride], sines[k &* stride])
                    let (x, y) = (real[high] * c - imaginary[high] * s, real[high] * s + imaginary[high] * c)
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
    }
}
