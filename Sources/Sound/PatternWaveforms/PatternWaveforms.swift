import Haptics
import Signals
import Synchronization
import Synth
import Units

/// Computes the waveforms of every theme's haptic patterns for the synth, each pattern once.
///
/// Thread: any, but not the render thread.
public final class PatternWaveforms: Sendable {
    /// The bank for engines to read.
    public let bank: WaveformBank
    private let rate: SampleRate
    private let hasTransducer: Bool
    private let file: @Sendable (String, HapticPattern) -> [Float]?
    /// The known patterns; an index is a pattern's number in the bank.
    private let patterns = Mutex<[HapticPattern]>([])

    /// Creates an empty bank. `file` returns the samples at `rate` of a sound file, by its path, for a pattern; nil if it cannot be read,
    /// and then it is silent.
    public init(rate: SampleRate, hasTransducer: Bool, file: @escaping @Sendable (String, HapticPattern) -> [Float]?) {
        bank = WaveformBank(hasTransducer: hasTransducer)
        self.rate = rate
        self.hasTransducer = hasTransducer
        self.file = file
    }

    /// Computes the new patterns of `theme`, which may take a while. Returns false when there is no room for them: then the patterns that
    /// are left out neither sound nor reach a transducer.
    @discardableResult
    public func learn(_ theme: Theme) -> Bool {
        let known = patterns.withLock { $0 }
        for (_, pattern) in theme.haptics.sorted(by: { $0.key < $1.key }) where !known.contains(pattern) {
            let touch = hasTransducer ? TransducerWaveform(pattern, rate: rate).samples : nil
            let sound = SoundWaveform(pattern, rate: rate, file: { [file] in file($0, pattern) }).samples
            // Only now, because whoever asks for a lowering must not wait for a disk.
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

    /// Returns the translation of cues for a theme that has been learned.
    public func lowering(of theme: Theme) -> CueLowering {
        let numbers = patterns.withLock { patterns in theme.haptics.compactMapValues { patterns.firstIndex(of: $0) } }
        return CueLowering(theme, numbers: numbers, hasTransducer: hasTransducer)
    }
}
