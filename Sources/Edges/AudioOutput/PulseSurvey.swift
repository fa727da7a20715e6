import CLinux
import CPulse
import Units

/// Lists the sinks of a PulseAudio server, over a short connection of its own.
public enum PulseSurvey {
    public struct Sink: Equatable, Sendable {
        public var name: String
        public var description: String
        public var channels: Int
        /// The names of the channels in their order, such as `front-left`.
        public var channelNames: [String]
        /// The sample rate, in Hz.
        public var rate: Int
        public var isDefault: Bool
        public var isMuted: Bool
        /// The volume in dB, at least −120; 0 is no change.
        public var volume: Double
    }

    /// The reason why the server cannot be asked.
    public struct Unreachable: Error, CustomStringConvertible {
        public var description: String
    }

    private static let timeout: Int64 = 2_000_000_000

    /// Returns the sinks of `server`; nil stands for the user's own server. Waits up to 2 s, so call it on a thread that has nothing else
    /// to do. Throws `Unreachable`.
    public static func sinks(server: String? = nil) throws(Unreachable) -> [Sink] {
        guard let mainloop = pa_mainloop_new() else { throw Unreachable(description: "no memory") }
        defer { pa_mainloop_free(mainloop) }
        guard let context = pa_context_new(pa_mainloop_get_api(mainloop), "Thrum survey") else {
            throw Unreachable(description: "no memory")
        }
        defer {
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        let end = monotonicNanoseconds() + timeout
        func unreachable() -> Unreachable { Unreachable(description: String(cString: pa_strerror(pa_context_errno(context)))) }
        func wait(_ isDone: () -> Bool) throws(Unreachable) {
            while !isDone() {
                guard pa_context_get_state(context) != PA_CONTEXT_FAILED, pa_context_get_state(context) != PA_CONTEXT_TERMINATED
                else { throw unreachable() }
                let left = end - monotonicNanoseconds()
                guard left > 0 else { throw Unreachable(description: "it does not answer") }
                guard pa_mainloop_prepare(mainloop, Int32(left / 1000)) >= 0, pa_mainloop_poll(mainloop) >= 0,
                      pa_mainloop_dispatch(mainloop) >= 0 else { throw unreachable() }
            }
        }
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { throw unreachable() }
        try wait { pa_context_get_state(context) == PA_CONTEXT_READY }
        let answer = Answer()
        // `answer` outlives the calls, because they end before this function returns.
        let reference = Unmanaged.passUnretained(answer).toOpaque()
        let server = pa_context_get_server_info(context, { _, info, reference in
            guard let reference, let name = info?.pointee.default_sink_name else { return }
            Answer.from(reference).standard = String(cString: name)
        }, reference)
        let sinks = pa_context_get_sink_info_list(context, { _, info, isLast, reference in
            guard let reference else { return }
            if let info { Answer.from(reference).sinks.append(info.pointee) }
            if isLast > 0 { Answer.from(reference).isWhole = true }
            if isLast < 0 { Answer.from(reference).hasFailed = true }
        }, reference)
        for operation in [server, sinks] { operation.map(pa_operation_unref) }
        try wait { answer.isWhole || answer.hasFailed }
        if answer.hasFailed { throw unreachable() }
        return answer.sinks.map { sink in
            var sink = sink
            sink.isDefault = sink.name == answer.standard
            return sink
        }
    }

    private final class Answer {
        var standard = ""
        var sinks: [Sink] = []
        var isWhole = false
        var hasFailed = false

        static func from(_ reference: UnsafeMutableRawPointer) -> Answer { Unmanaged<Answer>.fromOpaque(reference).takeUnretainedValue() }
    }
}

extension [PulseSurvey.Sink] {
    fileprivate mutating func append(_ info: pa_sink_info) {
        func text(_ words: UnsafePointer<CChar>?) -> String { words.map { String(cString: $0) } ?? "" }
        func names(of map: pa_channel_map) -> [String] {
            Swift.withUnsafeBytes(of: map.map) { bytes in
                bytes.bindMemory(to: pa_channel_position_t.self).prefix(Int(map.channels)).map { text(pa_channel_position_to_string($0)) }
            }
        }
        append(PulseSurvey.Sink(name: text(info.name), description: text(info.description), channels: Int(info.sample_spec.channels),
                                channelNames: names(of: info.channel_map), rate: Int(info.sample_spec.rate), isDefault: false,
                                isMuted: info.mute != 0, volume: Magnitude(Float(loudestChannel(info.volume))).reported))
    }
}
