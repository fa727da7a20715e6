// exp2 and log2 from plain IEEE additions and multiplications: libm's last bit differs from one C library and processor
// to the next, and the render path may not call it.

/// 2 to the power of `x`, within 2 ulp; 0 below −1022, infinity from 1024, NaN for NaN.
@_noLocks @_noAllocation
public func exp2(_ x: Double) -> Double {
    guard x > -1022 else { return x.isNaN ? x : 0 }
    guard x < 1024 else { return .infinity }
    let whole = Int(x + (x < 0 ? -0.5 : 0.5))
    let y = (x - Double(whole)) * ln2
    // Taylor's series of e^y, |y| ≤ ln2/2: the first term left out is below 2^-58.
    var sum = 1.0
    var divisor = 14.0
    while divisor >= 1 {
        sum = 1 + sum * y / divisor
        divisor -= 1
    }
    // A fraction just under one half can round up to 2^1024 or down below the normal range: scale in two steps.
    let half = whole / 2
    return sum * powerOfTwo(half) * powerOfTwo(whole - half)
}

/// The base-2 logarithm of `x`, within 2 ulp of the larger of 1 and the result; NaN unless `x` is positive and finite.
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
    // ln m = 2·atanh((m−1)/(m+1)) as its odd series, |z| ≤ 0.1716: the first term left out is below 2^-60.
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
