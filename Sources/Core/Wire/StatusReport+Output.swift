import Signals

extension StatusReport {
    /// The output: where the sound goes, and how it gets there. In JSON its facts and its counters are fields of one object.
    @dynamicMemberLookup
    public struct Output: Codable, Equatable, Sendable {
        public enum Kind: String, CaseIterable, Codable, Sendable {
            case pulse, alsa, null
        }

        public enum State: String, CaseIterable, Codable, Sendable {
            case connected
            /// The output waits for a sound server or a card.
            case waiting
            case null
        }

        public struct Facts: Codable, Equatable, Sendable {
            public var kind = Kind.null
            public var state = State.null
            /// The reason why the output is waiting, in words; nil when it is not.
            public var issue: String?
            /// The sound server's name and version in its own words; nil while the output waits.
            public var server: String?
            public var sink: String?
            /// Whether the sink, or our stream on it, is muted by another program.
            public var isMutedByOthers = false
            /// The gain of sink and stream together, in dB; 0 leaves everything as it is, −120 is silence.
            public var volumeByOthers = 0.0
            /// Whether the sink takes nothing: the server has suspended it, or the machine slept and its card is not back yet.
            public var isSuspended = false
            /// The peak of the sink's monitor in the last 200 ms, in dBFS, −120 and up; nil while nobody listens to the monitor.
            public var monitorPeak: Double?
            public var sampleRate = 0
            /// Whether queued audio is overwritten when an event comes. Otherwise a short queue is used.
            public var isRevising = false
            /// Whether the render thread has real-time priority.
            public var isRealtime = false
            public var latency = Latency()
            /// The number of times that the render thread wakes up per second.
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
        /// The time from an event to its first sample leaving the sink, as the server knows it, in milliseconds.
        public var touchToSoundMilliseconds = 0.0
        /// The time from the sample being heard to the first that can still be changed, in milliseconds.
        public var marginMilliseconds = 0.0
        /// The sound that is rendered ahead, in milliseconds.
        public var queuedMilliseconds = 0.0
        /// The longest block that the sink has lately taken at once, in milliseconds.
        public var sinkBlockMilliseconds = 0.0
        /// The error of the clock's predictions, root mean square, in microseconds.
        public var clockErrorMicroseconds = 0.0
        /// The drift of the server's clock against the system's, in parts per million.
        public var driftPartsPerMillion = 0.0
        /// The median time from an event that says when it happened to its sound being written, over the last 32, in milliseconds.
        public var touchToRewriteMilliseconds = 0.0

        public init() {}
    }
}

extension Metric {
    static let output: [Metric] = [
        .info("thrum_output_info", "Where the sound goes; server and sink are empty while it waits for a server.") {
            ["kind": $0.output.kind.rawValue, "server": $0.output.server ?? "", "sink": $0.output.sink ?? ""]
        },
        .flag("thrum_output_connected", "Whether a sound server plays.") { $0.output.state == .connected },
        .flag("thrum_output_revising", "Whether queued sound is overwritten when an event comes.", \.output.isRevising),
        .flag("thrum_output_realtime", "Whether the render thread has real-time priority.", \.output.isRealtime),
        .flag("thrum_output_muted_by_others", "Whether another program has muted the sink or the stream.", \.output.isMutedByOthers),
        .gauge("thrum_output_volume_by_others_decibels", "How far other programs have turned sink and stream down or up.",
               \.output.volumeByOthers),
        .flag("thrum_output_suspended", "Whether the output is suspended: it takes nothing.", \.output.isSuspended),
        .gauge("thrum_output_sample_rate_hertz", "Sample rate of the engine.") { Double($0.output.sampleRate) },
        .gauge("thrum_touch_to_sound_seconds", "From an event to its first sample leaving the sink.") {
            $0.output.latency.touchToSoundMilliseconds / 1e3
        },
        .gauge("thrum_touch_to_rewrite_seconds", "From an event to its sound being written, median of the last 32.") {
            $0.output.latency.touchToRewriteMilliseconds / 1e3
        },
        .gauge("thrum_margin_seconds", "From the sample being heard to the first that can be changed.") {
            $0.output.latency.marginMilliseconds / 1e3
        },
        .gauge("thrum_queue_seconds", "Sound that is rendered ahead.") { $0.output.latency.queuedMilliseconds / 1e3 },
        .gauge("thrum_sink_block_seconds", "The most that the sink has lately taken at once.") {
            $0.output.latency.sinkBlockMilliseconds / 1e3
        },
        .gauge("thrum_clock_error_seconds", "What the clock's predictions are off by, root mean square.") {
            $0.output.latency.clockErrorMicroseconds / 1e6
        },
        .gauge("thrum_clock_drift_ratio", "Of the sound server's clock against the system's, 0 for none.") {
            $0.output.latency.driftPartsPerMillion / 1e6
        },
        .gauge("thrum_wake_ups_per_second", "Of the render thread.", \.output.wakeUpsPerSecond),
    ] + counters(OutputCounters.fields, \.output.counters)
}
