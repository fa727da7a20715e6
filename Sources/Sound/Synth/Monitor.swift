/// What the monitor of the sink has: what the sound server plays of everybody, after their volumes. Moments are CLOCK_MONOTONIC in
/// nanoseconds.
@frozen
public struct Monitor: Sendable, Equatable, BitwiseCopyable {
    /// A lower peak is silence: −80 dBFS.
    private static let silence: Float = 1e-4
    /// Who hears nothing of the monitor for longer than this does not know what it had.
    static let longestBreak: Int64 = 1_000_000_000

    /// When it was last heard of.
    public private(set) var latest: Int64
    /// Since when it is known to be silent.
    public private(set) var silentSince: Int64
    /// The loudest sample of the last piece, 200 ms or so; 1 is full scale.
    public private(set) var peak: Float = 0

    /// It is listened to from `now` on.
    public init(at now: Int64) {
        latest = now
        silentSince = now
    }

    /// A piece has come with the loudest sample `peak`; nil if the piece is missing.
    public mutating func hear(_ peak: Float?, at now: Int64) {
        if let peak, peak < Self.silence, now - latest <= Self.longestBreak {
            self.peak = peak
        } else {
            self.peak = peak ?? self.peak
            silentSince = now
        }
        latest = now
    }

    /// For how long it has been silent; nil if it is not known now, because nothing came for a while.
    public func silence(at now: Int64) -> Int64? { now - latest > Self.longestBreak ? nil : now - silentSince }
}
