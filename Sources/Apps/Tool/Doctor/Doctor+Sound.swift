import AudioOutput
import Files
import FoundationEssentials
import Processes
import SystemPackage
import Wire

/// Checks whether there is a sound server with a sink, and what delays its sound.
extension Doctor {
    func checkSound(_ status: StatusReport?) -> [Diagnosis] {
        let onServer = { checkServer() + checkCards(status) + checkPipeWire(status) }
        guard let output = status?.output else { return onServer() }
        return switch output.kind {
        case .pulse: onServer()
        case .alsa: [Self.judge(card: output)] + checkCards(status)
        case .null: [.ok(.sound, "thrumd plays into nothing, as its settings say: no server is needed")]
        }
    }

    private func checkServer() -> [Diagnosis] {
        let sinks: [PulseSurvey.Sink]
        do {
            sinks = try PulseSurvey.sinks(server: server)
        } catch {
            return [.trouble(.noServer(server, error))]
        }
        // A server without a sound card has a dummy sink, `auto_null`.
        let audible = sinks.filter { $0.name != "auto_null" }
        guard !audible.isEmpty else { return [.trouble(.nothingHeard(sinks.isEmpty ? "no sink" : "a dummy sink only"))] }
        return audible.map(Self.judge)
    }

    private static func judge(card output: StatusReport.Output) -> Diagnosis {
        if let issue = output.issue { return .trouble(.waitsForCard(issue)) }
        let words = "thrumd plays on \(output.sink ?? "a card") itself: \(output.server ?? "ALSA"), \(output.sampleRate) Hz"
        return output.isMutedByOthers ? .trouble(.cardMuted(words)) : .ok(.sound, words)
    }

    private static func judge(_ sink: PulseSurvey.Sink) -> Diagnosis {
        let words = "sink \(sink.name) (\(sink.description)), \(sink.rate) Hz, channels: \(sink.channels)"
            + (sink.isDefault ? ", the default" : "")
            + (sink.volume == 0 ? "" : ", volume \(sink.volume <= -120 ? "0" : sink.volume.fixed(1) + " dB")")
        if sink.isDefault, sink.isMuted { return .trouble(.muted(words, sink: sink.name)) }
        if sink.isDefault, sink.volume < -60 { return .trouble(.tooSoft(words, sink: sink.name)) }
        return .ok(.sound, words + (sink.isMuted ? ", muted" : ""))
    }
}

/// Checks sound cards and PipeWire.
extension Doctor {
    /// Checks which sound cards delay sound.
    func checkCards(_ status: StatusReport?) -> [Diagnosis] {
        let isPipeWire = playsOnPipeWire(status)
        let rewindsOff = KernelFiles.word(SoundFirmware.parameter)
        return SoundCard.list(KernelFiles.text("/proc/asound/cards") ?? "").compactMap { card in
            if card.isUSB {
                let stream = KernelFiles.text("/proc/asound/card\(card.number)/stream0").map { USBSound($0) }
                let code = KernelFiles.word("/sys/class/sound/card\(card.number)/device/bInterfaceClass")
                return stream?.judge(card, classCode: code)
            }
            let device = KernelFiles.resolved("/sys/class/sound/card\(card.number)/device")
            guard card.isFirmware(drivers: Self.drivers(above: device)) else { return nil }
            return SoundFirmware.judge(card, rewindsOff: rewindsOff, isPipeWire: isPipeWire)
        }
    }

    /// Returns the names of the kernel drivers of a device in /sys, and of the devices that contain it.
    private static func drivers(above device: String?) -> [String] {
        var drivers: [String] = []
        var path = FilePath(device ?? "/")
        while path.components.count > 2 {
            if let driver = KernelFiles.resolved(path.appending("driver").string) {
                drivers.append(FilePath(driver).lastComponent?.string ?? "")
            }
            path.removeLastComponent()
        }
        return drivers
    }

    /// Whether thrumd plays on PipeWire, according to its status. Where `status` is nil, whether it would, because this user runs a
    /// PipeWire.
    private func playsOnPipeWire(_ status: StatusReport?) -> Bool {
        if let status { return status.output.server?.contains("PipeWire") == true }
        let environment = ProcessInfo.processInfo.environment
        let runtime = environment["PIPEWIRE_RUNTIME_DIR"] ?? environment["XDG_RUNTIME_DIR"]
        return server == nil && environment["PULSE_SERVER"] == nil && runtime.map { KernelFiles.isThere($0 + "/pipewire-0") } == true
    }

    /// Checks the sizes of PipeWire's blocks.
    func checkPipeWire(_ status: StatusReport?) -> [Diagnosis] {
        guard playsOnPipeWire(status) else { return [] }
        let environment = ProcessInfo.processInfo.environment
        return [(Self.runningClock(environment) ?? PipeWireClock(files: Self.pipeWireFiles(environment))).diagnosis]
    }

    /// Returns the block sizes of the running PipeWire, which `pw-metadata` prints. Nil where that program is not installed or gets no
    /// answer.
    private static func runningClock(_ environment: [String: String]) -> PipeWireClock? {
        guard let pipe = try? FileDescriptor.pipe() else { return nil }
        defer { try? pipe.readEnd.close() }
        // The write end is closed here, so that the pipe ends with the program. The program's output fits into a pipe.
        let child = try? pipe.writeEnd.closeAfter {
            try FinishedProcess(running: "pw-metadata", ["-n", "settings"], environment: environment, output: pipe.writeEnd, timeout: 5)
        }
        guard child?.status == 0, let bytes = try? pipe.readEnd.bytes(atMost: 65_536) else { return nil }
        return PipeWireClock(metadata: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the texts of PipeWire's configuration files. Of two files the later one wins (pipewire.conf(5)).
    private static func pipeWireFiles(_ environment: [String: String]) -> [String] {
        let own = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        let folders = [own, "/etc", "/usr/share"].map { $0 + "/pipewire" }
        let main = folders.lazy.compactMap { KernelFiles.text($0 + "/pipewire.conf") }.first
        let parts = folders.reversed().map { $0 + "/pipewire.conf.d" }.flatMap { folder in
            KernelFiles.names(folder).filter { $0.hasSuffix(".conf") }.compactMap { KernelFiles.text("\(folder)/\($0)") }
        }
        return (main.map { [$0] } ?? []) + parts
    }
}
