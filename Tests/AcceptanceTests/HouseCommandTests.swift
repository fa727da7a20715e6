import Foundation
import Testing
import TestSupport

/// `thrum settings`, `reload`, `schedule`, `log` and `status` with a daemon.
@Suite struct HouseCommandTests {
    @Test func `whoever looks after a daemon is told its settings, its week, its log and its clients`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("idle: 45\nschedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        let daemon = try await Daemon(["--output", "null", "--experience", "colorscroller", "--config", file], environment: ["TZ": "UTC"])
        func ask(_ words: String...) throws -> Finished { try run(Programs.thrum, words + ["--socket", daemon.socket], environment: ["TZ": "UTC"]) }
        // In the order of the documentation.
        #expect(try ask("settings", "idle", "output", "theme").text
            == "theme   standard  default\nidle    45 s      \(file):1\noutput  null      --output\n")
        let unknown = try ask("settings", "idel")
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean idle?"), "\(unknown.errors)")

        // A mute and a ceiling are meant: they are told, and nothing is wrong.
        let page = try LineSocket(daemon.socket)
        _ = try page.call("hello", #"{"client":"console"}"#)
        _ = try page.call("output.mute", #"{"on":true}"#)
        _ = try page.call("output.ceiling", #"{"level":-30}"#)
        let muted = try ask("status")
        let lines = muted.text.split(separator: "\n")
        #expect(muted.status == 0 && lines[1].hasPrefix("NOTICE   muted by console, client "), "\(muted.text)")
        #expect(lines[1].contains(" since ") && lines[2].hasPrefix("NOTICE   the ceiling is -30 dBFS by console, client "))
        #expect(try ask("status", "--json").text.contains("\"isMuted\" : true"))

        // By hand.
        _ = try LineSocket(daemon.socket).call("param.set", #"{"name":"toast-cooldown","value":9}"#)
        #expect(try ask("settings", "--given").text.contains("toast-cooldown"))
        #expect(try ask("settings", "toast-cooldown").text.hasSuffix("by hand\n"))

        _ = try scratch.write("idle: 30\nrate: 44100\nschedule: {otherwise: quiet-day}\n", to: "thrum.yaml")
        #expect(try ask("reload").text == "changed  idle: 45 → 30\nwaiting  rate: counts from the next start on\n")
        #expect(try ask("settings", "rate").text.contains("44100 from the next start on"))
        _ = try scratch.write("idle: -1\nqueue: 5\n", to: "thrum.yaml")
        let bad = try ask("reload")
        #expect(bad.status == 65 && bad.text.isEmpty)
        #expect(bad.errors.split(separator: "\n").count == 3 && bad.errors.contains("thrum.yaml:1: idle: expected"), "\(bad.errors)")
        #expect(try ask("settings", "idle").text.hasPrefix("idle  30 s"))

        let week = try ask("schedule").text.split(separator: "\n")
        #expect(week.count == 1 && week[0].contains("  00:00–") && week[0].hasSuffix("  quiet-day"), "\(week)")
        let log = try ask("log", "--level", "error").text
        // A busy disk may be told there, too.
        let told = log.split(separator: "\n").count { $0.contains("the settings are bad, and the ones before are kept  reason=") }
        #expect(told == 2, "\(log)")

        #expect(try ask("status").text.contains("\nclients  operator: console, 1 without a name\n"))
        #expect(daemon.terminate() == 0)
        #expect(try ask("settings").status == 69)
    }

    @Test func `bash completes sessions, themes, knobs and the commands after help`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.file("thrum/sessions"), withIntermediateDirectories: true)
        _ = try scratch.write("", to: "thrum/sessions/2026-11-22T10-00-00.jsonl")
        func complete(_ words: String...) throws -> [Substring] {
            let line = words.joined(separator: " ")
            let completed = try run("bash", ["-c", """
                source <("$0" --generate-completion-script bash)
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=\(line.utf8.count)
                _thrum thrum "${@: -1}" "${@: -2:1}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """, Programs.thrum] + words, environment: [
                    "XDG_STATE_HOME": scratch.path, "PATH": Programs.directory + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
                ])
            return completed.text.split(separator: "\n")
        }
        #expect(try complete("thrum", "help", "rel") == ["reload"])
        #expect(try complete("thrum", "theme", "use", "stand") == ["standard"])
        #expect(try complete("thrum", "verify", "2026") == ["2026-11-22T10-00-00"])
        #expect(try complete("thrum", "settings", "toast-c") == ["toast-cooldown"])
        #expect(try complete("thrum", "send", "chime.play", "name=unl") == ["name=unlock"])
    }
}
