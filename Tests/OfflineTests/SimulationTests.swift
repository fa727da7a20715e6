import Calendar
import Experience
import Fields
import Journal
import Offline
import Registry
import Signals
import Testing
import Units
import Venue

/// A household's piece that refuses whatever it can, and beats once a second.
private struct Clock: Experience {
    static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "clock", rulesVersion: 1, about: "beats", policy: .household(rollOver: four),
                           visitors: [VisitorDeclaration("tapper", about: "Taps.") { _ in Tapper() }])
    }()

    let rate: SampleRate

    init(_ opening: Opening) { rate = opening.rate }

    func refusal(of input: Input<NoMove>, at now: Now) -> Fault? {
        if case .tap = input { nil } else { Fault(field: "method", expected: "a tap") }
    }

    mutating func begin(at now: Now, _ memory: NoMemory?) -> Effects { Effects(wake: .frame(Frame(Int64(rate.hertz)))) }

    mutating func reduce(_ input: Input<NoMove>, at now: Now) -> Effects {
        if case .tick = input { Effects(wake: .frame(now.frame + rate.frames(in: Seconds(1)))) } else { Effects() }
    }
}

private struct Tapper: SimulatedVisitor {
    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] { [VisitorStep(after: 1.5, .tap(Tap()))] }
}

@Suite struct SimulationTests {
    @Test func `a household's piece is told of the visitor as it is live, and cannot refuse the ticks that it asked for`() throws {
        let visitor = try #require(Clock.declaration.visitors.first)
        var simulation = Simulation(Clock.self, visitor, seed: 1, turns: 2, idle: Seconds(2))
        var kinds: [String] = []
        while let step = simulation.next() {
            switch step.entry {
            case .header: break
            case .event(let event, _, _, _): if case .visit(let phase) = event.kind { kinds.append("\(phase)") } else { kinds.append(event.kind.name) }
            case .discontinuity: kinds.append("discontinuity")
            case .checkpoint: kinds.append("checkpoint")
            case .end(let end, _): kinds.append("\(end)")
            }
        }
        #expect(kinds == ["arrival", "tick", "began", "tap", "tick", "tick", "tap", "tick", "tick", "stop", "ended", "shutdown"])
    }

    @Test func `in a preset's hours a visit begins with its volume, and the theme has its ceiling and its cap`() throws {
        let visitor = try #require(Clock.declaration.visitors.first)
        func begin(_ preset: Preset) -> (Theme?, [EventKind]) {
            var simulation = Simulation(Clock.self, visitor, seed: 1, turns: 1, idle: Seconds(1), preset: preset)
            var (theme, kinds): (Theme?, [EventKind]) = (nil, [])
            while let step = simulation.next() {
                switch step.entry {
                case .header(let header): theme = header.theme
                case .event(let event, _, _, _): kinds.append(event.kind)
                case .discontinuity, .checkpoint, .end: break
                }
            }
            return (theme, kinds)
        }
        // docs/hearing.md
        let (theme, kinds) = begin(try #require(Preset.builtIn["sensory-friendly"]))
        #expect(kinds.prefix(2).map(\.name) == ["volume", "arrival"])
        #expect(kinds.first == .volume(Decibels(-6), fade: .zero))
        #expect(theme?.ceiling == Decibels(-18) && theme?.toneCurve.cap == Hertz(1000))
        #expect(begin(.normal).1.first?.name == "arrival" && begin(.normal).0 == .standard)
    }

    /// What a made-up visitor had sound, by name, and how long the session was.
    private func heard(_ experience: String, _ profile: String, turns: Int, _ knobs: KnobSettings) throws -> (names: Set<String>, seconds: Double) {
        let piece = try #require(Registry.pieces.named(experience))
        let visitor = try #require(piece.declaration.visitors.first { $0.name == profile })
        var simulation = Simulation(piece, visitor, seed: 1, turns: turns, idle: Seconds(45), knobs: knobs)
        var (names, seconds): (Set<String>, Double) = ([], 0)
        while let step = simulation.next() {
            seconds = Double(step.entry.frame.rawValue) / 48_000
            guard case .event(_, _, _, let gave) = step.entry else { continue }
            for cue in gave?.cues ?? [] {
                switch cue {
                case .chime(let name), .texture(let name, on: true): names.insert(name)
                default: break
                }
            }
        }
        return (names, seconds)
    }

    @Test func `somebody who strokes has the sounds of a household's piece within minutes`() throws {
        let cat = try heard("scrollkitty", "stroking", turns: 20, .standard)
        #expect(cat.names.isSuperset(of: ["purr-healthy", "purr-concerned", "purr-tired", "purr-weak", "mew-healthy", "mew-weak", "mew-dead", "bypass",
                                          "shield-back", "band-drop", "welcome", "terminal"]), "\(cat.names)")
        #expect(cat.seconds < 300)
        // Days of a minute: seven turns are as many days.
        let unhooked = try #require(Registry.pieces.named("unhooked")).declaration
        var knobs = KnobSettings.standard
        let minutes = try #require(unhooked.knobs.first { $0.name == "day-minutes" })
        knobs[minutes] = .number(1)
        let pet = try heard("unhooked", "stroking", turns: 7, knobs)
        #expect(pet.names.isSuperset(of: ["purr-healthy", "purr-sick", "award", "eating"]), "\(pet.names)")
        #expect(pet.seconds < 480)
    }
}
