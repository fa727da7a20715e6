import Foundation
import Testing
import Units

@Suite struct ExponentialTests {
    /// The C library's functions are the independent source.
    @Test func `exp2 agrees with the C library within 4 ulp`() {
        for step in -4000...4000 {
            let x = Double(step) * 0.2537
            guard x > -1022, x < 1024 else { continue }
            let expected = Foundation.exp2(x)
            #expect(abs(Units.exp2(x) - expected) <= 4 * expected.ulp, "at \(x)")
        }
    }

    @Test func `log2 agrees with the C library within 4 ulp`() {
        for step in 1...4000 {
            for scale in [0x1p-1050, 1e-300, 1e-12, 1e-3, 1, 1e3, 1e300] {
                let x = Double(step) * 0.737 * scale
                let expected = Foundation.log2(x)
                #expect(abs(Units.log2(x) - expected) <= 4 * max(1, abs(expected)).ulp, "at \(x)")
            }
        }
    }

    @Test func `the edges of exp2 and log2 are those of IEEE functions`() {
        #expect(Units.exp2(-5000) == 0)
        #expect(Units.exp2(5000) == .infinity)
        #expect(Units.exp2(.infinity) == .infinity)
        #expect(Units.exp2(.nan).isNaN)
        #expect(Units.exp2(0) == 1)
        #expect(Units.exp2(10) == 1024)
        #expect(Units.log2(0).isNaN)
        #expect(Units.log2(-1).isNaN)
        #expect(Units.log2(.infinity).isNaN)
        #expect(Units.log2(8) == 3)
    }
}
