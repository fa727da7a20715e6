/// A counter in the answer of `status`, with its names and descriptions.
public struct CounterField<Counters>: Sendable {
    public let value: any KeyPath<Counters, UInt64> & Sendable
    /// The name of the property in `Counters`, which is its name in JSON too.
    public let name: String
    /// The counter's name for Prometheus; it ends in `_total`.
    public let metric: String
    /// A phrase that says what is counted, without a full stop.
    public let meaning: String
    /// The words in front of the counter's value in `thrum status`; nil where `thrum status` leaves it out.
    public let label: String?

    fileprivate init(_ value: any KeyPath<Counters, UInt64> & Sendable, _ name: String, _ metric: String, _ meaning: String,
                     label: String? = nil) {
        (self.value, self.name, self.metric, self.meaning, self.label) = (value, name, metric, meaning, label)
    }
}

/// Counters of the output, since the daemon's start.
@frozen
public struct OutputCounters: Codable, Sendable, Equatable, BitwiseCopyable {
    public var connections: UInt64 = 0
    public var rewrites: UInt64 = 0
    public var lateRewrites: UInt64 = 0
    /// The number of events that came too late to be heard on time. The code that sends events to the render thread counts these; the
    /// render thread counts everything else.
    public var lateEvents: UInt64 = 0
    public var underruns: UInt64 = 0

    @_noLocks @_noAllocation
    public init() {}

    public static let fields: [CounterField<OutputCounters>] = [
        CounterField(\.connections, "connections", "thrum_output_connections_total", "times that a sound server was connected to"),
        CounterField(\.rewrites, "rewrites", "thrum_rewrites_total", "changes of queued sound", label: "rewrites"),
        CounterField(\.lateRewrites, "lateRewrites", "thrum_late_rewrites_total",
                     "changes that came after their frame had been taken", label: "of them late:"),
        CounterField(\.lateEvents, "lateEvents", "thrum_late_events_total",
                     "events that took effect after the frame they were due at", label: "late events:"),
        CounterField(\.underruns, "underruns", "thrum_underruns_total", "times that the sound server ran dry", label: "underruns:"),
    ]

    /// The counters as text, for instance `rewrites 7, of them late: 0, late events: 0, underruns: 1`.
    public var words: String {
        Self.fields.compactMap { field in field.label.map { "\($0) \(self[keyPath: field.value])" } }.joined(separator: ", ")
    }
}

/// Counters of the synthesizer, since it started or was reset.
@frozen
public struct EngineCounters: Codable, Sendable, Equatable, BitwiseCopyable {
    public var stolenNotes: UInt64 = 0
    public var refusedNotes: UInt64 = 0
    public var limitedFrames: UInt64 = 0
    /// The number of haptic patterns that were left out, as sound or on a transducer, because 16 others were playing.
    public var refusedPatterns: UInt64 = 0
    /// The number of textures that were left out because four others were playing.
    public var refusedTextures: UInt64 = 0
    /// The number of events that were refused or dropped because too many came at once. The code that sends events to the render thread
    /// counts these, since the daemon's start.
    public var overload: UInt64 = 0

    @_noLocks @_noAllocation
    public init() {}

    public static let fields: [CounterField<EngineCounters>] = [
        CounterField(\.stolenNotes, "stolenNotes", "thrum_stolen_notes_total", "of the session: notes faded out early for a new one"),
        CounterField(\.refusedNotes, "refusedNotes", "thrum_refused_notes_total", "of the session: notes not begun for want of room"),
        CounterField(\.limitedFrames, "limitedFrames", "thrum_limited_frames_total",
                     "of the session: frames that the limiter turned down"),
        CounterField(\.refusedPatterns, "refusedPatterns", "thrum_refused_patterns_total",
                     "of the session: haptic patterns that the synth left out"),
        CounterField(\.refusedTextures, "refusedTextures", "thrum_refused_textures_total",
                     "of the session: textures that the synth left out"),
        CounterField(\.overload, "overload", "thrum_overload_total", "events refused or left out because they came too fast"),
    ]
}
