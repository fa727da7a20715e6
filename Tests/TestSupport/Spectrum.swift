import Foundation

/// Amplitude and frequency of the component near `frequency`, by demodulation with a Hann window: the frequency comes from
/// how far the phase turns between the two halves. For tones that are alone within some 4 bins.
public func component(_ samples: ArraySlice<Float>, near frequency: Double, rate: Double = 48_000)
    -> (amplitude: Double, frequency: Double) {
    func demodulate(_ part: ArraySlice<Float>) -> (re: Double, im: Double) {
        var re = 0.0
        var im = 0.0
        for (n, index) in part.indices.enumerated() {
            let window = 1 - cos(2 * .pi * Double(n) / Double(part.count))
            let angle = 2 * Double.pi * frequency / rate * Double(index)
            re += Double(part[index]) * window * cos(angle)
            im -= Double(part[index]) * window * sin(angle)
        }
        return (2 * re / Double(part.count), 2 * im / Double(part.count))
    }
    let half = samples.count / 2
    let first = demodulate(samples.prefix(half))
    let second = demodulate(samples.suffix(half))
    var turn = atan2(second.im, second.re) - atan2(first.im, first.re)
    turn -= (turn / (2 * .pi)).rounded() * 2 * .pi
    let distance = Double(samples.count - half)
    let whole = demodulate(samples)
    return ((whole.re * whole.re + whole.im * whole.im).squareRoot(), frequency + turn / (2 * .pi) * rate / distance)
}
