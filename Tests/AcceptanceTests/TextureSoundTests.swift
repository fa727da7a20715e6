import Foundation
import Journal
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
    private func pulseRate(_ parts: [[Float]], near rate: Double, within share: Double = 0.15) -> Double {
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
        return stride(from: rate * (1 - share), through: rate * (1 + share), by: rate / 500).max { strength($0) < strength($1) } ?? 0
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

    @Test func `a dog's breath and a sick pet's purr are in their bands, and what is sick cries at 450 Hz, 12 dB below`() throws {
        let round = try Round()
        for name in ["pant-healthy", "pant-sick", "purr-sick"] {
            let texture = try #require(Theme.standard.textures[name])
            let breath = try #require(texture.breath)
            let part = try round.part(name, from: 0.3, seconds: 2 * breath.period.rawValue)
            func level(about frequency: Double) -> Double {
                decibels(spectrum(part, [0.95, 0.97, 0.99, 1, 1.01, 1.03, 1.05].map { $0 * frequency }))
            }
            let (low, high) = (texture.noise.low.rawValue, texture.noise.high.rawValue)
            let middle = level(about: (low * high).squareRoot())
            for edge in [low, high] { #expect(abs(level(about: edge) - middle - -3) < 1, "\(name), \(edge) Hz: \(level(about: edge) - middle) dB") }
            guard let voice = texture.voice else { continue }
            let heard = component(part[...], near: 450)
            // The peak of a sine, by the mean of a raised cosine from 1 - d to 1.
            let expected = texture.level.rawValue + voice.level.rawValue + decibels(2) + 20 * log10(1 - breath.depth / 2)
            #expect(abs(20 * log10(heard.amplitude) - expected) < 1, "\(name): \(20 * log10(heard.amplitude)) dB for \(expected)")
            #expect(abs(heard.frequency / 450 - 1) < 0.02 && voice.level == Decibels(-12))
        }
    }

    @Test func `the purr of a pet that dies fades into silence, and pulses more than 18 times a second until then`() throws {
        // On for 3, 4 … 10 s, and each time 3 s to fade.
        let lengths = (3..<11).map { $0 }
        var starts: [Int] = []
        var entries = [JournalEntry.header(JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard))]
        var second = 0
        for length in lengths {
            for (at, isOn) in [(second, true), (second + length, false)] {
                entries.append(.event(Event(client: .connection(1), .texture(name: "purr-sick", on: isOn)), at: Frame(Int64(at * 48_000))))
            }
            starts.append((second + length) * 48_000)
            second += length + 3
        }
        entries.append(.end(.shutdown, at: Frame(Int64(second * 48_000))))
        let scratch = try Scratch()
        let journal = try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: "s.jsonl")
        #expect(try thrum("render", journal, "-o", scratch.file("s.wav"), "--bits", "float").status == 0)
        let samples = try WaveFile(path: scratch.file("s.wav")).samples
        let release = try #require(Theme.standard.textures["purr-sick"]).release.rawValue
        // By its own fade, a raised cosine, as long as that leaves more than a quarter.
        let fades = starts.map { start in
            (0..<Int(release * 0.65 * 48_000)).map { n in samples[start + n] / Float(0.5 + 0.5 * cos(.pi * Double(n) / (release * 48_000))) }
        }
        let rate = pulseRate(fades, near: 25, within: 0.6)
        #expect(rate > 18 && abs(rate / 23 - 1) < 0.1, "\(rate) Hz")
        for start in starts {
            func level(_ from: Double, _ to: Double) -> Double { decibels(power(samples[(start + Int(from * 48_000))..<(start + Int(to * 48_000))])) }
            #expect(level(0, 0.5) - level(1, 1.5) > 10)
            #expect(samples[(start + Int(release * 48_000) + 480)..<(start + 3 * 48_000)].allSatisfy { $0 == 0 })
        }
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
