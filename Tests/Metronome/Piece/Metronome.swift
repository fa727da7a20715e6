import Calendar
import Experience
import Fields
import Signals
import Units

/// A piece to throw away: it beats once a second, in pairs of chimes, and remembers how often it did in all its runs.
public struct Metronome: Experience {
    /// Somebody sets the beats back.
    public struct Reset: ActionBody {
        /// From what number on it counts.
        public var from: Int

        public init(from: Int) { self.from = from }

        public var name: String { "metronome.reset" }

        public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
            try container.encode(from, forKey: Fields.Key("from"))
        }
    }

    public enum Query: QueryBody { case beats }

    public struct Answer: Encodable, Equatable, Sendable {
        public var beats: Int
        public var total: Int
    }

    public struct Beat: AnnouncementBody {
        public var topic: String { "beat" }
        public var number: Int

        private enum CodingKeys: String, CodingKey { case number = "beat" }

        public init(number: Int) { self.number = number }
    }

    public struct Memory: PieceMemory {
        public var total: Int
        /// How often it was set back: no two of them have the same key in the ledger.
        public var resets: Int

        public init(total: Int, resets: Int) {
            self.total = total
            self.resets = resets
        }

        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["total", "resets"])
            total = try fields.integer("total", in: 0...Int(Int32.max))
            resets = try fields.integerIfPresent("resets", in: 0...Int(Int32.max)) ?? 0
        }

        public var json: JSONValue { .object(["total": .integer(Int64(total)), "resets": .integer(Int64(resets))]) }
    }

    static let accent = Knob("metronome-accent", .number(1...16, standard: 4), unit: "beats", about: "from one ding to the next")

    public static let declaration = Declaration(
        name: "metronome", rulesVersion: 1, about: "beats once a second",
        actions: [
            ActionDeclaration("metronome.reset", about: "The beats begin anew.") {
                Reset(from: try $0.integerIfPresent("from", in: 0...1_000_000, about: "0 by default") ?? 0)
            },
        ],
        queries: [
            QueryDeclaration("metronome.beats", about: "How often it has beaten.", result: "beats", examples: [Answer(beats: 0, total: 0)]) { _ in
                Query.beats
            },
        ],
        topics: [TopicDeclaration("beat", about: "It has beaten.", examples: [Beat(number: 0)])],
        knobs: [accent], chimes: ["ding"], haptics: ["swipe"],
        telemetry: [TelemetryTable("beats", of: "beat", columns: [TelemetryColumn("number") { (beat: Beat) in .integer(beat.number) }])],
        statistics: Beats.self,
        visitors: [VisitorDeclaration("listener", about: "Listens, and starts over now and then.") { Listener(draws: $0) }])

    private let rate: SampleRate
    private var beats = 0
    private var total = 0
    private var resets = 0
    private var every: Int

    public init(_ opening: Opening) {
        rate = opening.rate
        every = Int(opening.knobs.number(Self.accent))
    }

    public var opening: [Cue] { [.tonePitch(Hertz(1_000), glide: .zero), .toneLevel(Decibels(-12))] }

    public mutating func begin(at now: Now, _ memory: Memory?) -> Effects {
        total = memory?.total ?? 0
        resets = memory?.resets ?? 0
        return Effects(wake: .frame(second(after: .zero)))
    }

    public mutating func reduce(_ input: Input<Reset>, at now: Now) -> Effects {
        switch input {
        case .tick:
            beats += 1
            total += 1
            let cue: Cue = beats % every == 0 ? .chime("ding") : .haptic("swipe")
            return Effects(cues: [cue], announcements: [Announcement(Beat(number: beats))], wake: .frame(second(after: now.frame)))
        case .move(let reset):
            beats = reset.from
            resets += 1
            return Effects(result: .object(["beats": .integer(Int64(beats))]),
                           ledger: [LedgerEntry(key: "reset-\(resets)", kind: "reset", note: .object(["from": .integer(Int64(reset.from))]))])
        case .knob(_, .number(let number)):
            every = Int(number)
            return Effects()
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: usual)
        case .tap, .swipe, .knob, .theme, .configuration, .visit: return Effects()
        }
    }

    private func second(after time: Frame) -> Frame { time + rate.frames(in: Seconds(1)) }

    public func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable { Answer(beats: beats, total: total) }

    public var memory: Memory? { Memory(total: total, resets: resets) }
}

/// What a session was like.
private struct Beats: Statistics {
    private var numbers = Distribution()

    mutating func add(_ announcement: Announcement) {
        if let beat = announcement.body as? Metronome.Beat { numbers.record(Double(beat.number)) }
    }

    var report: StatisticsReport {
        StatisticsReport(lines: [StatisticsReport.Line("beats", "\(numbers.count)")],
                         quantities: [StatisticsReport.Quantity("number of a beat", numbers, digits: 0, limit: 40)])
    }
}

private struct Listener: SimulatedVisitor {
    var draws: SplitMix64

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        [VisitorStep(after: 1 + 4 * draws.unit(), .action(Action(Metronome.Reset(from: draws.below(8)))))]
    }
}
