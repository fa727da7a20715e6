import PatternWaveforms
import Signals
import Synchronization
import Testing
import Units

private func theme(_ patterns: [String: HapticPattern]) -> Theme {
    var theme = Theme.standard
    theme.haptics = patterns
    return theme
}

private func tap(_ intensity: Double) -> HapticPattern {
    HapticPattern(events: [HapticEvent(time: .zero, kind: .transient, intensity: intensity, sharpness: 0.5)])
}

/// The number by which the render thread knows a pattern of `theme`; nil if it has none.
private func number(_ name: String, _ waveforms: PatternWaveforms, _ theme: Theme) -> Int? {
    guard case .haptic(let number)? = waveforms.lowering(of: theme).commands(for: .haptic(name)).first else { return nil }
    return number
}

@Suite struct PatternWaveformsTests {
    private func waveforms() -> PatternWaveforms { PatternWaveforms(rate: .standard, hasTransducer: true) { _, _ in nil } }

    @Test func `a pattern keeps its number, whatever themes are learned after, and whatever it is called there`() {
        let waveforms = waveforms()
        let first = theme(["a": tap(0.1), "b": tap(0.2)])
        let second = theme(["0": tap(0.3), "b": tap(0.1), "z": tap(0.2)])
        #expect(waveforms.learn(first))
        #expect(["a", "b"].map { number($0, waveforms, first) } == [0, 1])
        #expect(waveforms.learn(second))
        #expect(["a", "b"].map { number($0, waveforms, first) } == [0, 1])
        #expect(["0", "b", "z"].map { number($0, waveforms, second) } == [2, 0, 1])
    }

    @Test func `learning a theme again takes no more room`() {
        let waveforms = waveforms()
        let known = theme(["a": tap(0.5)])
        for _ in 0..<2_000 { #expect(waveforms.learn(known)) }
        let other = theme(["a": tap(0.25)])
        #expect(waveforms.learn(other))
        #expect(number("a", waveforms, other) == 1)
    }

    @Test func `a theme that was not learned has no numbers`() {
        let waveforms = waveforms()
        #expect(number("a", waveforms, theme(["a": tap(0.5)])) == nil)
    }

    @Test func `where there is no room left, the last patterns by name are left out, and all before stay`() throws {
        let waveforms = PatternWaveforms(rate: try #require(SampleRate(8_000)), hasTransducer: true) { _, _ in nil }
        // A bank has 1,024.
        let most = theme(Dictionary(uniqueKeysWithValues: (0..<1_024).map { ("p\(10_000 + $0)", tap(Double($0) / 1_024)) }))
        #expect(waveforms.learn(most))
        let more = theme(["a": tap(0.5), "new": tap(1)])
        #expect(!waveforms.learn(more))
        #expect(number("a", waveforms, more) == 512)
        #expect(number("new", waveforms, more) == nil)
        #expect(number("p11023", waveforms, most) == 1_023)
    }

    @Test func `a pattern with a sound asks for its samples once`() {
        let asked = Asked()
        let waveforms = PatternWaveforms(rate: .standard, hasTransducer: false) { path, _ in
            asked.paths.withLock { $0.append(path) }
            return [0.5, 0.25]
        }
        var pattern = tap(0.5)
        pattern.sounds = [PatternSound(time: .zero, source: .file("/knock.wav"))]
        for _ in 0..<3 { #expect(waveforms.learn(theme(["knock": pattern]))) }
        #expect(asked.paths.withLock { $0 } == ["/knock.wav"])
    }
}

/// What was asked for, from whatever thread.
private final class Asked: Sendable {
    let paths = Mutex<[String]>([])
}
