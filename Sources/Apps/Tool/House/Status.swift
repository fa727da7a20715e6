import ArgumentParser
import Experience
import Processes
import Wire

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how thrumd is: clients, output, session, devices, and what is wrong.",
        discussion: """
            Of whom notifications were refused is told with the last reason: who sent them got no answer.

            Exit status 0 if all is well, 1 if there are issues, 69 if thrumd cannot be reached. With --wait it also waits until there \
            is no issue: a daemon that has just started has no sound server yet.

            EXAMPLES
              thrum status
              thrum status --json | jq .output.latency
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let end = ContinuousClock.now + .seconds(daemon.wait)
        let (status, clients) = try await daemon.converse { exchange in
            var status: StatusReport = try await exchange.result(of: "status")
            while !status.issues.isEmpty, ContinuousClock.now < end, !Interruption.hasCome {
                try await Task.sleep(for: .milliseconds(100))
                status = try await exchange.result(of: "status")
            }
            let clients: ConnectedClients = try await exchange.result(of: "client.list")
            return (status, clients.clients)
        }
        if json {
            print(try JSONReport.text(status))
        } else {
            print(Self.lines(status, clients).joined(separator: "\n"))
        }
        if !status.issues.isEmpty { throw ExitCode(1) }
    }

    private static func lines(_ status: StatusReport, _ clients: [ConnectedClients.Client]) -> [String] {
        var lines = [
            "thrumd \(status.version), up \(status.uptimeSeconds.fixed(0)) s, clients: \(status.clients)",
        ] + status.house.notices { InstantText.local($0, "%a %H:%M") }.map { "NOTICE   \($0.printable)" } + [
            "clients  " + ClientsText(clients).words,
        ]
        if let address = status.pageAddress { lines.append("page     \(address.printable)") }
        lines.append("output   \(OutputText.words(status.output, status.output.state)), \(status.output.sampleRate) Hz"
            + (status.output.isRealtime ? ", real-time priority" : "")
            + (status.output.isSuspended ? ", suspended" : "")
            + (status.output.isRevising ? "" : ", short queue: nothing is revised"))
        if let server = status.output.server, let sink = status.output.sink {
            let peak = status.output.monitorPeak.map { ", monitor " + ($0 <= -120 ? "silent" : $0.fixed(1) + " dBFS") } ?? ""
            lines.append("server   \(server), sink \(sink)\(peak)")
            let latency = status.output.latency
            lines.append("latency  touch to sound \(latency.touchToSoundMilliseconds.fixed(1)) ms, "
                + "margin \(latency.marginMilliseconds.fixed(1)) ms, "
                + "sink block \(latency.sinkBlockMilliseconds.fixed(1)) ms, "
                + "queued \(latency.queuedMilliseconds.fixed(0)) ms")
            lines.append("clock    error \(latency.clockErrorMicroseconds.fixed(0)) µs, "
                + "drift \(latency.driftPartsPerMillion.fixed(1)) ppm, "
                + "wake-ups \(status.output.wakeUpsPerSecond.fixed(0))/s")
            lines.append(status.output.counters.words)
        }
        if let session = status.session {
            lines.append("session  \(session.seconds.fixed(1)) s, events: \(session.events)"
                + (session.isHeld ? ", held" : "") + (session.journal.map { ", \($0)" } ?? ""))
        } else {
            lines.append("session  none; sessions so far: \(status.sessions)")
        }
        if let model = status.model {
            lines.append("model    \(model.name.printable)" + (model.digest.map { ", SHA-256 \($0.printable)" } ?? ""))
        }
        if status.reopenedListeners > 0 { lines.append("sockets  lost and opened again: \(status.reopenedListeners)") }
        lines += refusedLines(status.refused, clients) + houseLines(status.house) + kioskLines(status.kiosk)
        return lines + deviceLines(status.devices, leftOut: status.synth.refusedPatterns) + status.issues.map { "ISSUE    \($0)" }
    }

    private static func refusedLines(_ refused: StatusReport.Refused, _ connected: [ConnectedClients.Client]) -> [String] {
        let counts = [("host", refused.hosts), ("origin", refused.origins), ("token", refused.tokens)].filter { $0.1 > 0 }
        let requests = counts.isEmpty ? [] : ["requests over HTTP: " + counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")]
        let clients = [("for want of a place", refused.clients), ("faster than people can", refused.rates)].filter { $0.1 > 0 }
        return (requests + clients.map { "\($0.0): \($0.1)" } + RefusalsText(refused, connected).lines).map { "refused  \($0)" }
    }

    private static func houseLines(_ house: HouseReport) -> [String] {
        let reason = house.isByHand ? " (by hand)" : house.entry.map { " (\($0))" } ?? ""
        let volume = house.volume <= -120 ? "silence" : "volume \(house.volume.fixed(1)) dB"
        let change = house.nextChange.map { ", next change \(InstantText.local($0, "%a %H:%M"))" } ?? ""
        var lines = ["house    theme \(house.theme), preset \(house.preset)\(reason), \(volume)\(change)"]
        if let hearing = house.hearing { lines.append(hearingLine(hearing)) }
        if !house.waitingForStart.isEmpty { lines.append("waiting  for the next start: " + house.waitingForStart.joined(separator: ", ")) }
        return lines
    }

    private static func kioskLines(_ kiosk: StatusReport.Kiosk?) -> [String] {
        guard let report = kiosk?.report else { return [] }
        let screens = report.screens.map { screen in
            "\(screen.name) \(screen.isDrawing && screen.issue == nil ? "draws" : "does not draw"), \(screen.memory >> 20) MiB"
                + (screen.issue.map { " (\($0.printable))" } ?? "")
        }
        let restarts = report.restarts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return ["kiosk    \(screens.joined(separator: "; "))\(report.areScreensOn ? "" : "; screens are off")"
            + (restarts.isEmpty ? "" : ", restarts: \(restarts.joined(separator: ", "))")]
    }

    private static func hearingLine(_ hearing: HouseReport.Hearing) -> String {
        let level = hearing.level.map { "\($0.fixed(1)) dBA" } ?? "silence"
        let steady = hearing.equivalent.map { " (\($0.fixed(1)) dBA over 8 h)" } ?? ""
        let eased = switch hearing.volume {
        case ...(-120): ", silent because that is all there may be"
        case ..<0: ", eased down by \((-hearing.volume).fixed(1)) dB"
        default: ""
        }
        return "hearing  \(level), of a day's dose: this visitor \(hearing.sessionDose.fixed(1)) %, "
            + "today \(hearing.dayDose.fixed(1)) %\(steady)\(eased)"
    }

    private static func deviceLines(_ devices: StatusReport.Devices, leftOut: UInt64) -> [String] {
        let screens = devices.touchscreens.map { "\($0.name) (\($0.node))" }.joined(separator: ", ")
        let motors = devices.motors.map { motor in
            "motor    \(motor.name) (\(motor.node)), \(motor.drive), effects held: \(motor.held) of \(motor.slots), "
                + "played: \(motor.plays), missed: \(motor.missed)"
                + (motor.touchToEffectMilliseconds.map { ", touch to effect \($0.fixed(2)) ms" } ?? "")
        }
        let unused = devices.unused.map { device in
            "unused   \(device.name) (\(device.node)): \(device.reason)" + (device.rule.map { "; a rule for it: \($0)" } ?? "")
        }
        let switches = devices.switches.map { "switch   \($0.name) (\($0.node))" }
        let transducers = devices.transducers.map(String.init).joined(separator: ", ")
        let hands = (motors.isEmpty ? [] : ["motors: \(motors.count)"])
            + (transducers.isEmpty ? [] : ["transducer on channel \(transducers)"])
        let refused = devices.refused > 0 ? " (input devices that may not be opened: \(devices.refused); see thrum devices)" : ""
        return ["touch    " + (screens.isEmpty ? "no touchscreen" : screens) + refused,
                "haptics  " + (hands.isEmpty ? "no haptic device" : hands.joined(separator: ", "))
                    + ", patterns asked for: \(devices.patterns)" + (leftOut > 0 ? ", left out, 16 being played: \(leftOut)" : "")]
            + motors + switches + unused
    }
}

/// The connected clients, as a line for people.
struct ClientsText {
    /// The line, for instance `operator: console, 2 without a name; visitor: page (3)`.
    let words: String

    init(_ clients: [ConnectedClients.Client]) {
        let parts = Role.allCases.reversed().compactMap { role -> String? in
            let own = clients.filter { $0.role == role }
            guard !own.isEmpty else { return nil }
            let named = Dictionary(grouping: own.compactMap(\.name)) { $0 }.sorted { $0.key < $1.key }.map { name, all in
                name.printable + (all.count > 1 ? " (\(all.count))" : "")
            }
            let unnamed = own.count { $0.name == nil }
            return "\(role.rawValue): " + (named + (unnamed > 0 ? ["\(unnamed) without a name"] : [])).joined(separator: ", ")
        }
        words = parts.isEmpty ? "none" : parts.joined(separator: "; ")
    }
}

/// The clients whose notifications were refused, as lines for people. A client gets no answer to a notification.
struct RefusalsText {
    /// The lines, for instance `notifications of page (client 7): 3, the last because unknown method "tuch"`.
    let lines: [String]

    init(_ refused: StatusReport.Refused, _ clients: [ConnectedClients.Client]) {
        let connected = clients.filter { $0.refused > 0 }
        let lines = connected.map { client in
            let name = client.name.map { "\($0.printable) (client \(client.client))" } ?? "client \(client.client)"
            return Self.line(name, client.refused, client.lastRefusal)
        }
        // A client may have connected or left between the two answers.
        let others = refused.notifications - min(refused.notifications, connected.reduce(0) { $0 + $1.refused })
        let gone = Self.line("clients that are gone", others, lines.isEmpty ? refused.lastNotification : nil)
        self.lines = lines + (others == 0 ? [] : [gone])
    }

    private static func line(_ whose: String, _ count: UInt64, _ last: String?) -> String {
        "notifications of \(whose): \(count)" + (last.map { ", the last because \($0.printable)" } ?? "")
    }
}

/// Describes for people where the sound goes.
enum OutputText {
    /// Returns the output in words, for instance `sound server, playing`. `state` is given beside `output`, because it may be newer than
    /// the state in there.
    static func words(_ output: StatusReport.Output, _ state: StatusReport.Output.State) -> String {
        guard let player = output.kind.player else { return "\(output.kind.rawValue): nothing is heard" }
        return state == .connected ? "\(player), playing" : "\(player), waiting for it"
    }
}
