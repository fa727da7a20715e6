import ColorScroller
import Experience
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
            samples += block[..<(2 * fresh)]
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

    @Test func `the tone is made of its theme's partials from its next beginning on`() throws {
        let scratch = try Scratch()
        var octaves = other
        octaves.tonePartials = [TonePartial(ratio: 1), TonePartial(ratio: 2, level: Decibels(-6))]
        let on = EventKind.tone(ToneRequest(on: true, frequency: Hertz(1_000), level: Decibels(-12)))
        let journal = try scratch.write(lines([
            (0, on), (24_000, .theme(octaves)), (48_000, .tone(ToneRequest(on: false))), (60_000, on), (84_000, .theme(.standard)),
            (90_000, .tone(ToneRequest(on: false))), (100_000, on),
        ], end: 124_000), to: "a.jsonl")
        let heard = try samples(of: journal, by: .recorded, in: scratch)
        // 10^(−18/20) where it is there.
        for (frames, amplitude) in [(30_000..<39_600, 0.0), (70_000..<79_600, 0.1259), (110_000..<119_600, 0)] {
            #expect(abs(component(heard[frames], near: 2_000).amplitude - amplitude) < 0.0002, "\(frames)")
            #expect(abs(component(heard[frames], near: 1_000).amplitude - 0.2512) < 0.0002, "\(frames)")
        }
        // A session that begins in the theme has them from its first frame on.
        let first = try samples(of: scratch.write(lines([(0, on)], end: 24_000), to: "b.jsonl"), by: .themed(octaves, today: false), in: scratch)
        #expect(abs(component(first[12_000..<21_600], near: 2_000).amplitude - 0.1259) < 0.0002)
    }

    private func samples(of journal: String, by rules: ReplayRules, in scratch: Scratch) throws -> [Float] {
        let path = scratch.file("\(UUID()).wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = Rendering.Options(Registry.pieces)
        options.format = .float32
        options.rules = rules
        _ = try Rendering.render(FilePath(journal), to: descriptor, options)
        return try WaveFile(path: path).samples
    }

    /// What a simulated visitor does depends on no theme, so the same visitor played in the other theme says what is to be heard.
    @Test func `a session in another theme sounds as if it had been played in it, whatever themes came during it`() throws {
        let scratch = try Scratch()
        var other = other
        other.toneCurve = ToneCurve(start: Hertz(300), cap: Hertz(900), quietest: Decibels(-20), loudest: Decibels(-10), views: 40)
        other.chimes["unlock"] = other.chimes["ding"]
        func session(_ theme: Theme, change: Theme?) throws -> String {
            let visitor = try #require(ColorScroller.declaration.visitors.first)
            var simulation = Simulation(ColorScroller.self, visitor, seed: 3, turns: 40, idle: Seconds(5), theme: theme)
            var text = ""
            var isChanged = change == nil
            while let step = simulation.next() {
                if !isChanged, let change, case .event(_, let frame, _, _) = step.entry, frame > Frame(96_000) {
                    text += String(decoding: JournalLine.encode(.event(Event(client: .engine, .theme(change)), at: frame)), as: UTF8.self)
                    isChanged = true
                }
                text += String(decoding: JournalLine.encode(step.entry), as: UTF8.self)
            }
            return try scratch.write(text, to: "\(UUID()).jsonl")
        }
        let expected = try samples(of: session(other, change: nil), by: .recorded, in: scratch)
        let plain = try session(.standard, change: nil)
        #expect(try samples(of: plain, by: .themed(other, today: false), in: scratch) == expected)
        #expect(try samples(of: session(.standard, change: .standard), by: .themed(other, today: true), in: scratch) == expected)
        #expect(try samples(of: plain, by: .recorded, in: scratch) != expected)
    }

    @Test func `a chime that the other theme lacks is silent, and what comes after it is heard`() throws {
        let scratch = try Scratch()
        var bare = other
        bare.chimes["unlock"] = nil
        let journal = try scratch.write(lines([(0, .chime(name: "unlock")), (48_000, .chime(name: "ding"))], end: 96_000), to: "a.jsonl")
        let heard = try samples(of: journal, by: .themed(bare, today: false), in: scratch)
        #expect(heard[..<48_000].allSatisfy { $0 == 0 } && heard[48_000...].contains { abs($0) > 0.01 })
    }

    @Test func `a pattern is worked out once, under one number, however many themes have it`() {
        let waveforms = PatternWaveforms(rate: .standard, hasTransducer: true) { _, _ in nil }
        #expect(waveforms.learn(.standard) && waveforms.learn(other) && waveforms.learn(.standard))
        func number(_ name: String, _ theme: Theme) -> Int? {
            guard case .haptic(let number)? = waveforms.lowering(of: theme).commands(for: .haptic(name)).first else { return nil }
            return number
        }
        #expect(number("unlock", .standard) == number("unlock", other))
        #expect(number("swipe", .standard) != number("swipe", other) && number("swipe", other) != nil)
    }
}
