import Signals
import Units

/// A session, or a part of it, in a few numbers, gathered while it is rendered.
public struct SessionSummary: Equatable, Sendable {
    public private(set) var frames = FrameCount.zero
    /// The largest magnitude of any sample.
    public private(set) var peak = Magnitude(0)
    /// The tone's when it first and last sounded; nil if it never did.
    public private(set) var startPitch: Hertz?
    public private(set) var endPitch: Hertz?
    public private(set) var touches = 0
    public private(set) var chimes: [String: Int] = [:]

    private var pitch: Hertz?
    private var isOpen = false
    private var hasBegun = false

    public init() {}

    /// Of frames of so many samples, the first of which is the sound's.
    public mutating func add(_ samples: Span<Float>, channels: Int = 1) {
        begin()
        // Magnitudes order like their bits, and whole numbers are compared several at a time.
        var largest = Int32(bitPattern: peak.rawValue.bitPattern)
        if channels == 1 {
            for index in samples.indices {
                largest = max(largest, Int32(bitPattern: samples[unchecked: index].bitPattern & 0x7FFF_FFFF))
            }
        } else {
            for index in stride(from: 0, to: samples.count, by: channels) {
                largest = max(largest, Int32(bitPattern: samples[index].bitPattern & 0x7FFF_FFFF))
            }
        }
        peak = Magnitude(Float(bitPattern: UInt32(bitPattern: largest)))
        frames = frames + FrameCount(Int64(samples.count / channels))
    }

    /// Of a cue that is not in the part, only what it leaves behind for the part counts.
    public mutating func add(_ cue: Cue, isInPart: Bool = true) {
        if isInPart { begin() } else if hasBegun { return }
        switch cue {
        case .tonePitch(let frequency, _): pitch = frequency
        case .toneGate(let open):
            isOpen = open
            if open, isInPart { touches += 1 }
        case .chime(let name) where isInPart: chimes[name, default: 0] += 1
        case .stop: isOpen = false
        case .chime, .toneLevel, .texture, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
        if isOpen, isInPart {
            startPitch = startPitch ?? pitch
            endPitch = pitch
        }
    }

    /// A tone that is held when the part begins sounds in it.
    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        guard isOpen else { return }
        touches += 1
        (startPitch, endPitch) = (pitch, pitch)
    }
}
