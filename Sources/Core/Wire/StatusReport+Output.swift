import Signals

extension StatusReport {
    /// The output: where the sound goes, and how. In JSON, its facts and its counters are fields of one object.
    @dynamicMemberLookup
    public struct Output: Codable, Equatable, Sendable {
        public enum State: String, CaseIterable, Codable, Sendable {
            case connected
            /// No sound server or sound card is available yet.
            case waiting
            case null
        }

        public struct Facts: Codable, Equatable, Sendable {
            public var kind = OutputKind.null
            public var state = State.null
            public var issue: String?
            public var server: String?
            public var sink: String?
            public var isMutedByOthers = false
            public var volumeByOthers = 0.0
            public var isSuspended = false
            public var monitorPeak: Double?
            public var sampleRate = 0
            public var isRevising = false
            public var isRealtime = false
            public var latency = Latency()
            public var wakeUpsPerSecond = 0.0
        }

        private var facts = Facts()
        public var counters = OutputCounters()

        public init() {}

        public init(from decoder: any Decoder) throws { (facts, counters) = (try Facts(from: decoder), try OutputCounters(from: decoder)) }

        public func encode(to encoder: any Encoder) throws {
            try facts.encode(to: encoder)
            try counters.encode(to: encoder)
        }

        public subscript<Value>(dynamicMember fact: WritableKeyPath<Facts, Value>) -> Value {
            get { facts[keyPath: fact] }
            set { facts[keyPath: fact] = newValue }
        }
    }

    public struct Latency: Codable, Equatable, Sendable {
        public var touchToSoundMilliseconds = 0.0
        public var marginMilliseconds = 0.0
        public var queuedMilliseconds = 0.0
        public var sinkBlockMilliseconds = 0.0
        public var clockErrorMicroseconds = 0.0
        public var driftPartsPerMillion = 0.0
        public var touchToRewriteMilliseconds = 0.0

        public init() {}
    }
}

extension StatusField {
    static let output: [StatusField] = [
        .info("output", "where the sound goes; server and sink are empty while it waits for a server", "thrum_output_info") {
            ["kind": $0.output.kind.rawValue, "server": $0.output.server ?? "", "sink": $0.output.sink ?? ""]
        },
        .field("output.kind", OutputKind.list(\.destination)),
        .field("output.state", "whether it plays, waits for a sound server or a card, or plays nothing"),
        .flag("", "whether a sound server or a card plays", "thrum_output_connected") { $0.output.state == .connected },
        .field("output.issue", "why it is waiting, in words for people; left out when it is not"),
        .field("output.server", "who plays, in the server's own words; left out while it waits"),
        .field("output.sink", "where the server plays; left out while it waits"),
        .flag("output.isRevising", "whether queued sound is overwritten when an event comes", also: "or else a short queue is used",
              "thrum_output_revising", \.output.isRevising),
        .flag("output.isRealtime", "whether the render thread has real-time priority", "thrum_output_realtime", \.output.isRealtime),
        .flag("output.isMutedByOthers", "whether another program has muted the sink or the stream", "thrum_output_muted_by_others",
              \.output.isMutedByOthers),
        .gauge("output.volumeByOthers", "how far other programs have turned sink and stream down or up",
               also: "both together, in dB: 0 changes nothing, -120 is silence", "thrum_output_volume_by_others_decibels",
               \.output.volumeByOthers),
        .flag("output.isSuspended", "whether the output is suspended and takes nothing",
              also: "because the server has suspended the sink, or the machine slept and its card is not back yet",
              "thrum_output_suspended", \.output.isSuspended),
        .field("output.monitorPeak", "the peak of the sink's monitor in the last 200 ms, of everybody and after all volumes, in dBFS, "
            + "-120 and up; left out while nobody listens: without a visitor, in a visitor's first second, and where the server does not "
            + "allow it"),
        .gauge("output.sampleRate", "sample rate of the engine", also: "in Hz", "thrum_output_sample_rate_hertz") {
            Double($0.output.sampleRate)
        },
        .gauge("output.latency.touchToSoundMilliseconds", "from an event to its first sample leaving the sink",
               also: "as far as the server knows", "thrum_touch_to_sound_seconds") { $0.output.latency.touchToSoundMilliseconds / 1e3 },
        .gauge("output.latency.touchToRewriteMilliseconds", "from an event to its sound being written, median of the last 32",
               also: "of events that say when they happened", "thrum_touch_to_rewrite_seconds") {
            $0.output.latency.touchToRewriteMilliseconds / 1e3
        },
        .gauge("output.latency.marginMilliseconds", "from the sample being heard to the first that can be changed",
               "thrum_margin_seconds") { $0.output.latency.marginMilliseconds / 1e3 },
        .gauge("output.latency.queuedMilliseconds", "sound that is rendered ahead", "thrum_queue_seconds") {
            $0.output.latency.queuedMilliseconds / 1e3
        },
        .gauge("output.latency.sinkBlockMilliseconds", "the most that the sink has lately taken at once", "thrum_sink_block_seconds") {
            $0.output.latency.sinkBlockMilliseconds / 1e3
        },
        .gauge("output.latency.clockErrorMicroseconds", "what the clock's predictions are off by, root mean square",
               "thrum_clock_error_seconds") { $0.output.latency.clockErrorMicroseconds / 1e6 },
        .gauge("output.latency.driftPartsPerMillion", "drift of the sound server's or card's clock against the system's, 0 for none",
               "thrum_clock_drift_ratio") { $0.output.latency.driftPartsPerMillion / 1e6 },
        .gauge("output.wakeUpsPerSecond", "wake-ups of the render thread", "thrum_wake_ups_per_second", \.output.wakeUpsPerSecond),
    ] + counters("output", OutputCounters.fields, \.output.counters)
}
