import Foundation
import Signals
import Synth
import Testing
import TestSupport
import Units

/// What `thrum` writes of textures, measured.
@Suite struct TextureSoundTests {
    /// A file of a theme's chimes and textures, and where each begins.
    private struct Round {
        let samples: [Float]
        private let starts: [String: Int]

        init() throws {
            let scratch = try Scratch()
            let theme = try scratch.write("textures:\n  steady: {level: -20, breath: {period: 8, depth: 0}}\n", to: "measured.yaml")
            let path = scratch.file("round.wav")
            let list = try thrum("theme", "show", theme, "--wav", path).text
            samples = try WaveFile(path: path).samples
            starts = list.split(separator: "\n").reduce(into: [:]) { starts, line in
                guard let match = line.firstMatch(of: /^ +([\d.]+) s +(\S+)$/), let second = Double(match.1) else { return }
                starts[String(match.2)] = Int((second * 48_000).rounded())
            }
        }

        func part(_ name: String, from start: Double = 0, seconds: Double) throws -> [Float] {
            let first = try #require(starts[name]) + Int(start * 48_000)
            return Array(samples[first..<(first + Int(seconds * 48_000))])
        }
    }

    private func power(_ samples: some Collection<Float>) -> Double {
        samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
    }

    private func decibels(_ power: Double) -> Double { 10 * log10(power) }

    /// Where the loudness of `parts`, each 4 ms of it, has its strongest line near `rate`.
    private func pulseRate(_ parts: [[Float]], near rate: Double) -> Double {
        let loudness = parts.map { part in
            let values = stride(from: 0, to: part.count - 191, by: 192).map { power(part[$0..<($0 + 192)]) }
            let mean = values.reduce(0, +) / Double(values.count)
            return values.map { $0 - mean }
        }
        func strength(_ frequency: Double) -> Double {
            loudness.reduce(0) { sum, values in
                var (a, b) = (0.0, 0.0)
                for (n, value) in values.enumerated() {
                    let angle = 2 * .pi * frequency * 0.004 * Double(n)
                    a += value * cos(angle)
                    b += value * sin(angle)
                }
                return sum + a * a + b * b
            }
        }
        return stride(from: rate * 0.85, through: rate * 1.15, by: rate / 500).max { strength($0) < strength($1) } ?? 0
    }

    @Test func `in the file that thrum writes, pulses, levels and bands are the theme's, and the samples are this process's own`() throws {
        let round = try Round()
        for (name, texture) in Theme.standard.textures {
            let (pulse, breath) = (try #require(texture.pulse), try #require(texture.breath))
            let period = breath.period.rawValue
            // Out is the first half of a breath.
            let isOneRate = pulse.rate == pulse.inhaled
            let outward = isOneRate ? [try round.part(name, seconds: 2 * period)]
                : [try round.part(name, seconds: period / 2), try round.part(name, from: period, seconds: period / 2)]
            let rate = pulseRate(outward, near: pulse.rate.rawValue)
            #expect(abs(rate / pulse.rate.rawValue - 1) < 0.02, "\(name): \(rate) Hz")
            if !isOneRate {
                let inward = [try round.part(name, from: period / 2, seconds: period / 2),
                              try round.part(name, from: 1.5 * period, seconds: period / 2)]
                let rate = pulseRate(inward, near: pulse.inhaled.rawValue)
                #expect(abs(rate / pulse.inhaled.rawValue - 1) < 0.02, "\(name), in: \(rate) Hz")
            }
            // A raised cosine from 1 - d to 1 has a mean square of (1 - d/2)² + d²/8.
            func share(_ depth: Double) -> Double { pow(1 - depth / 2, 2) + depth * depth / 8 }
            let voice = texture.voice.map { pow(10, $0.level.rawValue / 10) } ?? 0
            let expected = texture.level.rawValue
                + decibels(share(breath.depth) * (share(pulse.depth) * (1 - pulse.gaps) + voice))
            // Whole breaths, without the rise at the beginning.
            let level = decibels(power(try round.part(name, from: 0.3, seconds: 2 * period)))
            #expect(abs(level - expected) < 1, "\(name): \(level) dB for \(expected)")
            // Rendered in this process, which is another build of the engine where the program is a release: bit for bit the same, as soon
            // as the chime before has died away.
            var timeline = Timeline(EngineSettings(Theme.standard, rate: .standard))
            for command in CueLowering(Theme.standard, numbers: [:], hasTransducer: false).commands(for: .texture(name, on: true)) {
                timeline.apply(command)
            }
            let latency = Int(timeline.engine.latency.rawValue)
            var own = [Float](repeating: 0, count: 48_000 + latency)
            own.withUnsafeMutableBufferPointer { buffer in
                var out = buffer.mutableSpan
                _ = timeline.render(until: Frame(Int64(48_000 + latency)), into: &out, at: 0)
            }
            let written = try round.part(name, from: 0.5, seconds: 0.5)
            #expect(own.dropFirst(latency + 24_000).map(\.bitPattern) == written.map(\.bitPattern), "\(name)")
        }
        let steady = try round.part("steady", from: 0.3, seconds: 16)
        #expect(abs(decibels(power(steady)) - -20) < 1)
        let middle = spectrum(steady, [190, 214, 238, 262])
        #expect(abs(decibels(spectrum(steady, [114, 120, 126]) / middle) - -3) < 1)
        #expect(abs(decibels(spectrum(steady, [388, 400, 412]) / middle) - -3) < 1)
    }

    /// The mean power about `frequencies`, of stretches of 8,192 frames under a Hann window.
    private func spectrum(_ samples: [Float], _ frequencies: [Double]) -> Double {
        let length = 8_192
        let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
        var sum = 0.0
        for frequency in frequencies {
            let waves = (0..<length).map { n in
                let angle = 2 * .pi * frequency * Double(n) / 48_000
                return (window[n] * cos(angle), window[n] * sin(angle))
            }
            for start in stride(from: 0, to: samples.count - length, by: length) {
                var (a, b) = (0.0, 0.0)
                for n in 0..<length {
                    a += Double(samples[start + n]) * waves[n].0
                    b += Double(samples[start + n]) * waves[n].1
                }
                sum += a * a + b * b
            }
        }
        return sum / Double(frequencies.count)
    }

    @Test func `the cat's voice has the pitches of its states, and the last one sinks`() throws {
        let round = try Round()
        func pitch(_ name: String, at start: Double, for seconds: Double, near frequency: Double) throws -> Double {
            component(try round.part(name, from: start, seconds: seconds)[...], near: frequency).frequency
        }
        // Bells that fall by 60 dB in the time of a note: what is left of the note before is 60 dB down.
        for (start, frequency) in [(0.02, 261.63), (0.14, 329.63), (0.26, 392.0)] {
            let heard = try pitch("mew-healthy", at: start, for: 0.09, near: frequency)
            #expect(abs(heard - frequency) < frequency * 0.01, "\(heard)")
        }
        for start in [0.02, 0.14] { #expect(abs(try pitch("mew-concerned", at: start, for: 0.09, near: 261.63) - 261.63) < 2.6) }
        #expect(abs(try pitch("mew-tired", at: 0.02, for: 0.2, near: 196) - 196) < 1)
        #expect(abs(try pitch("mew-tired", at: 0.27, for: 0.2, near: 164.8) - 164.8) < 1)
        #expect(abs(try pitch("mew-weak", at: 0.02, for: 0.4, near: 146.8) - 146.8) < 0.5)
        // The second partial is 2.06 times as high.
        #expect(abs(try pitch("mew-weak", at: 0.02, for: 0.4, near: 302.5) - 302.5) < 1)
        // Evenly from 147 to 125 Hz in 2 s: at each moment as high as a straight line says.
        for moment in [0.1, 0.5, 1, 1.5] {
            let expected = 146.83 + (125 - 146.83) * (moment + 0.1) / 2
            let heard = try pitch("mew-dead", at: 0.3 + moment, for: 0.2, near: expected)
            #expect(abs(heard - expected) < 1.5, "\(moment) s: \(heard) Hz for \(expected)")
        }
    }
}
