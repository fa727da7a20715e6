import AudioOutput
import Wire

/// Whether there is a sound server with a sink.
extension Doctor {
    func checkSound(_ status: StatusReport?) -> [Diagnosis] {
        if status?.output.kind == .null { return [.ok(.sound, "thrumd plays into nothing, as its settings say: no server is needed")] }
        if let output = status?.output, output.kind == .alsa { return [Self.judge(card: output)] }
        let sinks: [PulseSurvey.Sink]
        do {
            sinks = try PulseSurvey.sinks(server: server)
        } catch {
            let place = server.map { " at \($0)" } ?? ""
            return [.problem(.sound, "no sound server\(place): \(error)",
                             advice: "start PulseAudio, or PipeWire with pipewire-pulse; if one runs, name it with --server or set "
                                 + "XDG_RUNTIME_DIR as it has it")]
        }
        // The dummy sink of a server without a sound card.
        let audible = sinks.filter { $0.name != "auto_null" }
        guard !audible.isEmpty else {
            return [.warning(.sound, "nothing is heard: the sound server has " + (sinks.isEmpty ? "no sink" : "a dummy sink only"),
                             advice: "plug in a sound card; if there is one (aplay -l lists them), see that the server may open it: "
                                 + "its user in the group audio, and a new login")]
        }
        return audible.map(Self.judge)
    }

    private static func judge(card output: StatusReport.Output) -> Diagnosis {
        if let issue = output.issue {
            return .problem(.sound, "thrumd waits for its sound card: \(issue)",
                            advice: "plug it in, or free it; output names it in the settings")
        }
        let words = "thrumd plays on \(output.sink ?? "a card") itself: \(output.server ?? "ALSA"), \(output.sampleRate) Hz"
        if output.isMutedByOthers { return .warning(.sound, words + ", and it is muted", advice: "let it be heard: alsamixer") }
        return .ok(.sound, words)
    }

    private static func judge(_ sink: PulseSurvey.Sink) -> Diagnosis {
        let words = "sink \(sink.name) (\(sink.description)), \(sink.rate) Hz, channels: \(sink.channels)"
            + (sink.isDefault ? ", the default" : "")
            + (sink.volume == 0 ? "" : ", volume \(sink.volume <= -120 ? "0" : Report.fixed(sink.volume, 1) + " dB")")
        if sink.isDefault, sink.isMuted {
            return .warning(.sound, words + ", and muted", advice: "let it be heard: pactl set-sink-mute \(sink.name) 0")
        }
        if sink.isDefault, sink.volume < -60 {
            return .warning(.sound, words + ": nobody hears that", advice: "turn it up: pactl set-sink-volume \(sink.name) 100%")
        }
        return .ok(.sound, words + (sink.isMuted ? ", muted" : ""))
    }
}
