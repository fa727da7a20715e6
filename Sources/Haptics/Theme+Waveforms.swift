import Signals
import Units

extension Theme {
    /// What each haptic pattern has a transducer do, by its number.
    public func touches(at rate: SampleRate) -> [[Float]] {
        numberedHaptics.map { TransducerWaveform($0.pattern, rate: rate).samples }
    }

    /// What is heard with each haptic pattern, by its number. `file` gives a sound file's samples at `rate`; nil if it cannot be
    /// read.
    public func sounds(at rate: SampleRate, file: (String) -> [Float]?) -> [[Float]] {
        numberedHaptics.map { SoundWaveform($0.pattern, rate: rate, file: file).samples }
    }
}
