import Foundation
import Haptics
import Journal
import Offline
import PatternWaveforms
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// Sessions in which the theme changes.
@Suite struct ThemeEventTests {
    /// `standard` with another `swipe`, and a tone that is faded for long.
    private var other: Theme {
        var theme = Theme.standard
        theme.name = "other"
        theme.toneFade = .milliseconds(100)
        theme.haptics["swipe"] = HapticPattern(events: [
            HapticEvent(time: .zero, kind: .continuous(duration: .milliseconds(200)), intensity: 0.5, sharpness: 0.2),
        ])
        return theme
    }

    private func lines(_ events: [(frame: Int64, kind: EventKind)], end: Int64) -> String {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard)
        let entries = [.header(header)] + events.map { JournalEntry.event(Event(client: .engine, $0.kind), at: Frame($0.frame)) }
            + [.end(.shutdown, at: Frame(end))]
        return entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
    }

    @Test func `a name is what it is in the theme of its moment, for hands as for ears`() throws {
        let scratch = try Scratch()
        let journal = try scratch.write(lines([
            (0, .haptic(name: "swipe")), (24_000, .theme(other)), (48_000, .haptic(name: "swipe")),
            (96_000, .theme(.standard)), (120_000, .haptic(name: "swipe")),
        ], end: 144_000), to: "a.jsonl")
        var playback = try Playback(FilePath(journal), hasTransducer: true, Registry.pieces)
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 8_192)
        var isOver = false
        while !isOver {
            var span = block.mutableSpan
            guard let fresh = try playback.render(into: &span) else { isOver = true; break }
            samples += block[(2 * fresh.lowerBound)..<(2 * fresh.upperBound)]
        }
        let touch = stride(from: 1, to: samples.count, by: 2).map { samples[$0] }
        for (start, theme) in [(0, Theme.standard), (48_000, other), (120_000, .standard)] {
            let pattern = try #require(theme.haptics["swipe"])
            let wave = TransducerWaveform(pattern, rate: .standard).samples
            #expect(wave.count > 1_000 && Array(touch[start..<(start + wave.count)]) == wave, "\(start)")
        }
        #expect(playback.channels == 2)
    }

    @Test func `the tone's fade is the theme's from its next end on`() throws {
        let scratch = try Scratch()
        let journal = try scratch.write(lines([
            (0, .tone(ToneRequest(on: true, frequency: Hertz(1_000), level: Decibels(-12)))), (24_000, .theme(other)),
            (48_000, .tone(ToneRequest(on: false))),
        ], end: 96_000), to: "a.jsonl")
        let path = scratch.file("a.wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = Rendering.Options(Registry.pieces)
        options.format = .float32
        _ = try Rendering.render(FilePath(journal), to: descriptor, options)
        let samples = try WaveFile(path: path).samples
        // 100 ms are 4,800 frames; in the middle of a raised cosine it is half as loud: ½ · 10^(−12/20).
        #expect(samples[52_800...].allSatisfy { $0 == 0 })
        #expect(abs((samples[50_376..<50_424].map(\.magnitude).max() ?? 0) - 0.1256) < 0.003)
    }

    @Test func `a pattern is worked out once, under one number, however many themes have it`() {
        let waveforms = PatternWaveforms(rate: .standard, hasTransducer: true) { _ in nil }
        #expect(waveforms.learn(.standard) && waveforms.learn(other) && waveforms.learn(.standard))
        func number(_ name: String, _ theme: Theme) -> Int? {
            guard case .haptic(let number)? = waveforms.lowering(of: theme).commands(for: .haptic(name)).first else { return nil }
            return number
        }
        #expect(number("unlock", .standard) == number("unlock", other))
        #expect(number("swipe", .standard) != number("swipe", other) && number("swipe", other) != nil)
    }
}
