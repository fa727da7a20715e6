import Haptics
import Signals
import Synchronization
import Synth
import Units

/// Computes the waveforms of haptic patterns for the synth. The patterns of all themes are computed, each pattern once.
///
/// Thread: any, but not the render thread.
public final class PatternWaveforms: Sendable {
    /// The waveforms, for engines to read.
    public let bank: WaveformBank
    private let rate: SampleRate
    private let hasTransducer: Bool
    private let file: @Sendable (String, HapticPattern) -> [Float]?
    /// The patterns computed so far. A pattern's index here is its number in the bank.
    private let patterns = Mutex<[HapticPattern]>([])

    /// Creates an empty bank. `file` returns a sound file's samples at `rate`, by the file's path and the pattern that uses it. If the file
    /// cannot be read, it returns nil, and the sound is silent.
    public init(rate: SampleRate, hasTransducer: Bool, file: @escaping @Sendable (String, HapticPattern) -> [Float]?) {
        bank = WaveformBank(hasTransducer: hasTransducer)
        self.rate = rate
        self.hasTransducer = hasTransducer
        self.file = file
    }

    /// Computes those patterns of `theme` that are new, which may take a while. Returns false when the bank has no room for all of them:
    /// the patterns that are left out are neither heard nor felt on a transducer.
    @discardableResult
    public func learn(_ theme: Theme) -> Bool {
        let known = patterns.withLock { $0 }
        for (_, pattern) in theme.haptics.sorted(by: { $0.key < $1.key }) where !known.contains(pattern) {
            let touch = hasTransducer ? TransducerWaveform(pattern, rate: rate).samples : nil
            let sound = SoundWaveform(pattern, rate: rate, file: { [file] in file($0, pattern) }).samples
            // The lock is taken only now: `lowering(of:)` must not wait for a disk.
            let isThere = patterns.withLock { patterns in
                if patterns.contains(pattern) { return true }
                guard bank.add(sound: sound, touch: touch) else { return false }
                patterns.append(pattern)
                return true
            }
            guard isThere else { return false }
        }
        return true
    }

    /// Returns the translation of a theme's cues into synth commands. `learn` must have been called for the theme before.
    public func lowering(of theme: Theme) -> CueLowering {
        let numbers = patterns.withLock { patterns in theme.haptics.compactMapValues { patterns.firstIndex(of: $0) } }
        return CueLowering(theme, numbers: numbers, hasTransducer: hasTransducer)
    }
}
