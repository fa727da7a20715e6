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
        var files: [String: [Float]?] = [:]
        return numberedHaptics.map { _, pattern in
            SoundWaveform(pattern, rate: rate) { path in
                if let known = files[path] { return known }
                let samples = file(path)
                files[path] = .some(samples)
                return samples
            }.samples
        }
    }
}
