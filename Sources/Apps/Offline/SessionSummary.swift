import Signals
import Units

/// A session in a few numbers, gathered while it is rendered.
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

    public init() {}

    /// Of frames of so many samples, the first of which is the sound's.
    public mutating func add(_ samples: Span<Float>, channels: Int = 1) {
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

    public mutating func add(_ cue: Cue) {
        switch cue {
        case .tonePitch(let frequency, _): pitch = frequency
        case .toneGate(let open):
            isOpen = open
            if open { touches += 1 }
        case .chime(let name): chimes[name, default: 0] += 1
        case .stop: isOpen = false
        case .toneLevel, .texture, .haptic, .pattern, .mute, .ceiling, .volume, .theme: break
        }
        if isOpen {
            startPitch = startPitch ?? pitch
            endPitch = pitch
        }
    }
}
