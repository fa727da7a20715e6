import Haptics
import Signals
import SoundFile
import SystemPackage
import Units

/// Writes a pattern's transducer signal and its sound.
extension Haptic {
    func write(_ pattern: HapticPattern, _ path: FilePath, from source: FilePath?) throws {
        do {
            try create(path, from: source, replaces: force, advice: "") { file in
                let touch = TransducerWaveform(pattern, rate: .standard).samples
                let sound = SoundWaveform(pattern, rate: .standard) { self.samples(of: $0) }.samples
                let hasSound = !pattern.sounds.isEmpty
                let frames = max(touch.count, sound.count)
                let layout = SoundFileLayout(format: .float32, rate: .standard, channels: hasSound ? .interleaved : .mono,
                                             frames: Int64(frames))
                var writer = try SoundFileWriter(file, layout)
                func sample(_ waveform: [Float], _ frame: Int) -> Float { frame < waveform.count ? waveform[frame] : 0 }
                let samples = hasSound ? (0..<frames).flatMap { [sample(sound, $0), sample(touch, $0)] } : touch
                try writer.write(samples.span)
                try writer.finish()
            }
        } catch let error as SoundFileError {
            throw failure("\(path): \(error)", Exit.inputOutput)
        }
        print(path.string)
    }

    private func samples(of file: String) -> [Float]? {
        do {
            return try SoundFileReader.samples(of: file, at: .standard)
        } catch {
            warn("\(file): warning: not heard: \(error)")
            return nil
        }
    }
}
