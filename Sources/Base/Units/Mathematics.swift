/// Returns sin(2π · phase / 2³²) for eight phases at once.
///
/// The phase is folded to x in −1…1, where ±1 is a quarter turn. Then sin(πx/2) is evaluated as an odd polynomial of degree 9. Its
/// coefficients minimise the largest error, 3.3e-9 (−169 dB); they were found with the Remez exchange algorithm. Each lane depends on its
/// own phase alone, so the result has the same bits in whatever groups of eight the frames are computed.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    let signed = SIMD8<Int32>(truncatingIfNeeded: phase)
    // All ones where the two top bits differ: in the second and third quarter of the turn, x runs backwards.
    let mirrored = (signed ^ (signed &<< 1)) &>> 31
    let folded = signed ^ (mirrored & 0x7FFF_FFFF)
    let x = floats(folded) * 0x1p-30
    return quarterSine(x)
}

/// Returns sin(πx/2) for x in −1…1.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func quarterSine(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let y = x * x
    var sum = SIMD8<Float>(repeating: 0.00015082056)
    sum = sum * y - 0.004672228
    sum = sum * y + 0.07968848
    sum = sum * y - 0.6459634
    sum = sum * y + 1.5707963
    return sum * x
}

/// Returns a raised cosine, which rises from 0 to 1 while `progress` goes from 0 to 1. Both its ends are smooth, so a fade does not click.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func raisedCosine(_ progress: SIMD8<Float>) -> SIMD8<Float> {
    quarterSine(progress * 2 - 1) * 0.5 + 0.5
}

/// The indices of the eight lanes: 0, 1 … 7.
public var laneOffsets: SIMD8<Int32> {
    @inlinable @inline(__always) @_noLocks @_noAllocation get { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
}

/// Converts integers to the nearest floats, lane by lane. The standard library's conversion of the whole vector is a function call, and a
/// loop around a call cannot keep its values in registers.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func floats(_ whole: SIMD8<Int32>) -> SIMD8<Float> {
    SIMD8(Float(whole[0]), Float(whole[1]), Float(whole[2]), Float(whole[3]), Float(whole[4]), Float(whole[5]), Float(whole[6]),
          Float(whole[7]))
}

// exp2 and log2 are computed by plain IEEE additions and multiplications. The last bit of libm's results differs between C libraries and
// processors, and the render path may not call libm.

/// Returns 2 to the power of `x`, within 2 ulp; 0 below −1022, infinity from 1024, NaN for NaN.
@_noLocks @_noAllocation
public func exp2(_ x: Double) -> Double {
    guard x > -1022 else { return x.isNaN ? x : 0 }
    guard x < 1024 else { return .infinity }
    let whole = Int(x + (x < 0 ? -0.5 : 0.5))
    let y = (x - Double(whole)) * ln2
    // Taylor's series of e^y, |y| ≤ ln2/2. The first omitted term is below 2^-58.
    var sum = 1.0
    var divisor = 14.0
    while divisor >= 1 {
        sum = 1 + sum * y / divisor
        divisor -= 1
    }
    // `whole` can be as large as 1024 or lie below the smallest normal exponent, so the result is scaled in two steps.
    let half = whole / 2
    return sum * powerOfTwo(half) * powerOfTwo(whole - half)
}

/// Returns the base-2 logarithm of `x`; NaN unless `x` is positive and finite. The error is within 2 ulp of the result, or of 1 where that
/// is larger.
@_noLocks @_noAllocation
public func log2(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return .nan }
    var mantissa = x
    var exponent = 0.0
    if mantissa < 0x1p-1022 {
        mantissa *= 0x1p54
        exponent = -54
    }
    let bits = mantissa.bitPattern
    exponent += Double(Int(bits >> 52) - 1023)
    mantissa = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    if mantissa > 1.4142135623730951 {
        mantissa *= 0.5
        exponent += 1
    }
    // ln m = 2·atanh((m−1)/(m+1)), as its odd series with |z| ≤ 0.1716. The first omitted term is below 2^-60.
    let z = (mantissa - 1) / (mantissa + 1)
    let z2 = z * z
    var sum = 0.0
    var odd = 23.0
    while odd >= 1 {
        sum = sum * z2 + 1 / odd
        odd -= 2
    }
    return exponent + 2 * z * sum / ln2
}

@_noLocks @_noAllocation
private func powerOfTwo(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(exponent + 1023) << 52)
}

/// ln(2), OEIS A002162.
private let ln2 = 0.6931471805599453
