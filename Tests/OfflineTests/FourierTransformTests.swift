import Foundation
@testable import Offline
import Testing
import TestSupport

@Suite struct FourierTransformTests {
    /// Against the sum that defines the transform, under the same window.
    @Test(arguments: [4, 8, 64, 512]) func `the transform is its definition, bin for bin`(size: Int) {
        var dice = Dice(UInt64(size))
        let samples = (0..<size).map { _ in Float(dice.roll(20_001) - 10_000) / 10_000 }
        var transform = FourierTransform(size: size)
        let found = transform.meanSquares(of: samples[...])
        #expect(found.count == size / 2 + 1)
        for (bin, square) in found.enumerated() {
            var (x, y) = (0.0, 0.0)
            for (index, sample) in samples.enumerated() {
                let turn = 2 * Double.pi * Double(index) / Double(size)
                let value = Double(sample) * (0.5 - 0.5 * cos(turn))
                x += value * cos(turn * Double(bin))
                y += value * sin(turn * Double(bin))
            }
            // The squares of a Hann window have the mean 3/8; but for the first and the last, a bin stands for two frequencies.
            let sides = bin == 0 || bin == size / 2 ? 1.0 : 2
            #expect(abs(square - sides * (x * x + y * y) / (Double(size * size) * 3 / 8)) < 1e-12, "bin \(bin)")
        }
    }
}
