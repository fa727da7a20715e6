import Units

/// What sound came to. What is nil is silence, unless it says otherwise.
public struct MeasuredSound: Encodable, Equatable, Sendable {
    public struct LevelTime: Encodable, Equatable, Sendable {
        /// In dB as `weighted`; nil: from silence on.
        public var from: Double?
        public var to: Double
        public var seconds: Double
    }

    /// A third of an octave.
    public struct Band: Encodable, Equatable, Sendable {
        /// In Hz.
        public var middle: Double
        /// Of the mean square, in dBFS, as `rms`.
        public var level: Double?
    }

    public var seconds: Double
    public var sampleRate: Int
    public var channels: Int
    /// Integrated loudness, in LUFS.
    public var integrated: Double?
    /// Loudness range, in LU.
    public var range: Double
    /// In dBTP.
    public var truePeak: Double?
    /// The largest sample, in dBFS.
    public var peak: Double?
    /// In dBFS: a square wave of full scale has 0, a sine −3.01.
    public var rms: Double?
    /// Whether the settings say how loud full scale is at the listener.
    public var isCalibrated: Bool
    /// The equivalent A-weighted level of all of it, in dBA; where it is not calibrated, relative to a sine of full scale at 1 kHz.
    public var weighted: Double?
    /// The same of the loudest second.
    public var loudestSecond: Double?
    /// In percent of a day's allowance; nil where it is not calibrated.
    public var dose: Double?
    /// By levels of each second as `weighted`, from loud to quiet.
    public var levels: [LevelTime]
    /// From 25 Hz up.
    public var spectrum: [Band]

    /// Whether sound of this length has no integrated loudness, however loud it is: that is of blocks of 0.4 s (EBU R 128).
    public static func isTooShort(_ length: Seconds) -> Bool { length < Seconds(0.4) }

    /// The strongest bands that are not more than 20 dB below the strongest, at most three, the strongest first.
    public var dominant: [Band] {
        let sounding = spectrum.compactMap { band in band.level.map { (band, $0) } }.sorted { $0.1 > $1.1 }
        guard let top = sounding.first else { return [] }
        return sounding.prefix(3).filter { $0.1 > top.1 - 20 }.map(\.0)
    }
}
