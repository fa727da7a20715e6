import Foundation
import Testing
import Units

@Suite struct LevelTests {
    @Test(arguments: [(0.0, 1.0), (-20, 0.1), (-60, 0.001), (-6.020599913279624, 0.5), (20, 10)])
    func `a decibel level is 20 log10 of its magnitude`(decibels: Double, magnitude: Double) throws {
        #expect(abs(Double(Decibels(decibels).magnitude.rawValue) - magnitude) <= magnitude * 1e-7)
        let back = try #require(Magnitude(Float(magnitude)).decibels)
        #expect(abs(back.rawValue - decibels) < 1e-6)
    }

    @Test func `zero and negative magnitudes have no level`() {
        #expect(Magnitude(0).decibels == nil)
        #expect(Magnitude(-1).decibels == nil)
        #expect(Magnitude(.infinity).decibels == nil)
    }

    @Test func `twelve semitones double a frequency`() {
        #expect(abs(Hertz(240).raised(bySemitones: 12).rawValue - 480) < 1e-9)
        // E5 from A4 = 440 Hz: 440 · 2^(7/12) = 659.2551 Hz.
        #expect(abs(Hertz(440).raised(bySemitones: 7).rawValue - 659.2551) < 1e-4)
    }
}
