/// sin(2π · phase / 2³²) of eight phases at once.
///
/// The phase is folded to x in −1…1, a quarter turn to either side, and sin(πx/2) evaluated as the odd polynomial of
/// degree 9 that minimises the largest error there: 3.3e-9 (−169 dB), found with the Remez exchange algorithm. Each lane
/// depends on its own phase alone, so any grouping of frames gives the same bits.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func sine(_ phase: SIMD8<UInt32>) -> SIMD8<Float> {
    let signed = SIMD8<Int32>(truncatingIfNeeded: phase)
    // All ones where the two top bits differ: in the second and third quarter x runs backwards.
    let mirrored = (signed ^ (signed &<< 1)) &>> 31
    let folded = signed ^ (mirrored & 0x7FFF_FFFF)
    let x = floats(folded) * 0x1p-30
    return quarterSine(x)
}

/// sin(πx/2) for x in −1…1.
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

/// A raised-cosine rise from 0 to 1 as `progress` goes from 0 to 1: smooth at both ends, so it fades without a click.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func raisedCosine(_ progress: SIMD8<Float>) -> SIMD8<Float> {
    quarterSine(progress * 2 - 1) * 0.5 + 0.5
}

/// 0, 1 … 7.
public var laneOffsets: SIMD8<Int32> {
    @inlinable @inline(__always) @_noLocks @_noAllocation get { SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
}

/// The nearest floats. Written lane by lane, because the standard library's own conversion is a call, around which a loop keeps nothing
/// in registers.
@inlinable @inline(__always) @_noLocks @_noAllocation
public func floats(_ whole: SIMD8<Int32>) -> SIMD8<Float> {
    SIMD8(Float(whole[0]), Float(whole[1]), Float(whole[2]), Float(whole[3]), Float(whole[4]), Float(whole[5]), Float(whole[6]),
          Float(whole[7]))
}
