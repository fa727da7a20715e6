/// A counter of `status`, and all that is said of it.
public struct CounterField<Counters>: Sendable {
    public let value: any KeyPath<Counters, UInt64> & Sendable
    /// The property's name.
    public let name: String
    /// The name for Prometheus; it ends in `_total`.
    public let metric: String
    /// What is counted: a phrase without a full stop.
    public let meaning: String
    /// The words before the number in `thrum status`; nil where it is not shown there.
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
    /// The number of late events. The control side counts these, and the render thread the others.
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

    /// The counters in words, for instance `rewrites 7, of them late: 0, late events: 0, underruns: 1`.
    public var words: String {
        Self.fields.compactMap { field in field.label.map { "\($0) \(self[keyPath: field.value])" } }.joined(separator: ", ")
    }
}

/// Counters of the synthesizer, since its start or its last reset.
@frozen
public struct EngineCounters: Codable, Sendable, Equatable, BitwiseCopyable {
    public var stolenNotes: UInt64 = 0
    public var refusedNotes: UInt64 = 0
    public var limitedFrames: UInt64 = 0
    /// The number of haptic patterns that were not heard, or not felt on a transducer, because 16 others were.
    public var refusedPatterns: UInt64 = 0
    /// The number of textures that were not heard because four others were.
    public var refusedTextures: UInt64 = 0
    /// The number of events refused or left out because they came too fast. The control side counts these, since the daemon's start.
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
