import CSpawn
import Foundation
import Testing
import TestSupport

/// `thrum watch` as people see it: on a terminal, and where there is none.
@Suite struct WatchTests {
    @Test func `on a terminal it shows how things are, and Ctrl-C gives the terminal back`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let terminal = try PseudoTerminal(["watch", "--socket", daemon.socket])
        #expect(try await eventually { terminal.row("session").contains("none; sessions so far: 0") }, "\(terminal.text)")
        #expect(terminal.row("tone") == "tone      closed" && terminal.row("peak").contains("silent  "))

        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"frequency":440,"level":-12}"#)
        _ = try client.call("touch", #"{"phase":"began","id":1,"x":0.5,"y":0.5}"#)
        #expect(try await eventually { terminal.row("fingers") == "fingers   1  ●" }, "\(terminal.screen)")
        #expect(try await eventually { terminal.row("peak").contains("-12.0 dBFS   ███") }, "\(terminal.screen)")
        #expect(terminal.row("tone") == "tone      open, 440.0 Hz, -12.0 dBFS")
        #expect(terminal.row("session").hasPrefix("session   running for "))
        #expect(try await eventually { terminal.row("session").contains("events: 2, held, ") }, "\(terminal.screen)")
        #expect(terminal.row("mute") == "mute      off, ceiling -1.0 dBFS")
        #expect(terminal.row("output").hasPrefix("output    null: nothing is heard, 48000 Hz"))
        #expect(terminal.row("haptics") == "haptics   no haptic device")
        #expect(terminal.screen.contains { $0.contains(" s  event        touch client=") }, "\(terminal.screen)")

        // Nobody writes on the terminal by what they tell.
        _ = try client.call("journal.mark", #"{"text":"a\u001b[31mred\nline"}"#)
        #expect(try await eventually { terminal.screen.contains { $0.hasSuffix("text=a·[31mred·line") } }, "\(terminal.screen)")
        _ = try client.call("touch", #"{"phase":"ended","id":1}"#)
        #expect(try await eventually { terminal.row("fingers") == "fingers   none" && terminal.row("tone").contains("closed, 440.0 Hz") })

        // Ctrl-Z gives it back, too, until somebody goes on.
        terminal.press(26)
        #expect(try await eventually { terminal.isGivenBack && terminal.isStopped }, "\(terminal.text)")
        terminal.goOn()
        #expect(try await eventually { !terminal.isGivenBack && terminal.row("fingers") == "fingers   none" })

        terminal.press(3)
        #expect(try await terminal.finish() == 128 + SIGINT)
        #expect(terminal.isGivenBack, "\(terminal.text)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `in 80 by 24 it shows the piece and the house, and keys pause it, filter it and quit`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no", "--experience", "colorscroller"])
        let terminal = try PseudoTerminal(["watch", "--socket", daemon.socket])
        #expect(try await eventually { terminal.row("piece").hasPrefix("piece     colorscroller: card 0, ") }, "\(terminal.screen)")
        #expect(terminal.row("house") == "house     theme standard, preset normal")
        let client = try LineSocket(daemon.socket)
        _ = try client.call("swipe", #"{"velocity":2}"#)
        #expect(try await eventually { terminal.row("piece").wholeMatch(of: /.*: card 1, P\(churn\) 0\.\d+, .*/) != nil }, "\(terminal.screen)")
        let screen = terminal.screen
        #expect(screen.count == 24 && screen.allSatisfy { $0.count < 80 }, "\(screen)")
        #expect(screen.last == "q quits, p pauses, / filters")

        terminal.press(UInt8(ascii: "p"))
        #expect(try await eventually { terminal.screen.last?.contains("(paused, ") == true }, "\(terminal.screen)")
        _ = try client.call("journal.mark", #"{"text":"unseen"}"#)
        #expect(try await eventually { terminal.screen.last?.wholeMatch(of: /.*paused, [1-9]\d* more.*/) != nil }, "\(terminal.screen)")
        #expect(!terminal.screen.contains { $0.contains("unseen") })
        terminal.press(UInt8(ascii: "p"))
        #expect(try await eventually { terminal.screen.contains { $0.contains("unseen") } }, "\(terminal.screen)")

        for key in "/UNSEEM".utf8 + [127] + "N\r".utf8 { terminal.press(key) }
        #expect(try await eventually { terminal.screen.last == "q quits, p pauses, / filters (UNSEEN), Esc shows all" }, "\(terminal.screen)")
        let past = terminal.screen.filter { $0.contains("event  ") || $0.contains("cue  ") || $0.contains("scroll  ") }
        #expect(past.count == 1 && past[0].contains("unseen"), "\(terminal.screen)")
        #expect(try await eventually { terminal.screen.contains { $0.wholeMatch(of: /\s+[1-9]\d* s  event .*unseen/) != nil } }, "ages count")

        terminal.press(UInt8(ascii: "q"))
        #expect(try await terminal.finish() == 0)
        #expect(terminal.isGivenBack, "\(terminal.text)")
        #expect(daemon.terminate() == 0)
    }

    @Test func `a narrow terminal has short lines and whole issues, and a daemon that goes is exit status 69`() async throws {
        let scratch = try Scratch()
        let daemon = try await Daemon(["--devices", "no"], environment: PrivatePulse.environment(scratch.path))
        let terminal = try PseudoTerminal(["watch", "--socket", daemon.socket], columns: 30, rows: 12)
        func issue() -> String {
            let lines = terminal.screen.drop { !$0.hasPrefix("ISSUE") }.prefix { !$0.isEmpty }
            return lines.map { $0.dropFirst(10) }.joined(separator: " ")
        }
        #expect(try await eventually { issue().hasPrefix("no sound: waiting for a sound server (") }, "\(terminal.screen)")
        #expect(issue().hasSuffix(")"))
        let screen = terminal.screen
        #expect(screen.count <= 12 && screen.allSatisfy { $0.count < 30 }, "\(screen)")
        #expect(terminal.row("session").hasSuffix("…"))

        #expect(daemon.terminate() == 0)
        #expect(try await terminal.finish() == 69)
        // Said where it stays.
        #expect(terminal.isGivenBack && terminal.text.hasSuffix("thrum: thrumd is gone\n"), "\(terminal.text)")
    }

    @Test func `off a terminal it prints a line for each notification, meters only where they are named`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let usual = try Running(Programs.thrum, ["watch", "--socket", daemon.socket])
        let start = ContinuousClock.now
        let meters = try Running(Programs.thrum, ["watch", "meters", "--rate", "2", "--socket", daemon.socket])
        let named = try PseudoTerminal(["watch", "cue", "--socket", daemon.socket])
        let client = try LineSocket(daemon.socket)
        let chime = "cue          cue=chime name=ding\n"
        #expect(try await eventually {
            _ = try client.call("chime.play", #"{"name":"ding"}"#)
            return usual.output.contains(chime) && named.text.contains(chime)
        }, "\(usual.output)")
        _ = try client.call("touch", #"{"phase":"began"}"#)
        #expect(try await eventually { usual.output.contains("  state        ceiling=-1 fingers=1 hasSession=true ") }, "\(usual.output)")
        // It has subscribed by now, so it is told the beginning of the next session.
        _ = try client.call("session.end")
        _ = try client.call("chime.play", #"{"name":"ding"}"#)
        #expect(try await eventually { usual.output.contains("\n     0.000  session      phase=began\n") }, "\(usual.output)")
        #expect(usual.output.split(separator: "\n").allSatisfy { $0.count <= 160 }, "\(usual.output)")

        func count() -> Int { meters.output.split(separator: "\n").count }
        #expect(try await eventually { count() > 0 })
        #expect(meters.output.contains("  meters       peak=-"))
        #expect(try await eventually { count() >= 3 })
        // Of its whole life: lines of a program that was held up come in a heap.
        #expect(Double(count()) <= 2 + 2 * (start.duration(to: .now) / Duration.seconds(1)))

        #expect(daemon.terminate() == 0)
        #expect(usual.finish().status == 69 && meters.finish().status == 69)
        #expect(try await named.finish() == 69)
        #expect(!usual.output.contains("meters") && !(usual.output + named.text).contains("\u{1B}"))
        #expect(try thrum("watch", "--rate", "61").status == 64)
    }
}

/// What lasts until somebody ends it, without a terminal.
@Suite struct LastingCommandTests {
    @Test func `watch ends by SIGINT also where a shell without job control has started it in the background`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        // As such a shell does it: the program is begun with SIGINT ignored.
        let watch = try Running("sh", ["-c", "trap '' INT; exec \"$@\"", "sh", Programs.thrum, "watch", "cue", "--socket", daemon.socket])
        let client = try LineSocket(daemon.socket)
        #expect(try await eventually {
            _ = try client.call("chime.play", #"{"name":"ding"}"#)
            return watch.output.contains("cue=chime")
        }, "\(watch.errors)")
        watch.signal(SIGINT)
        #expect(watch.finish().status == 128 + SIGINT)
        #expect(daemon.terminate() == 0)
    }

    @Test func `send subscribe prints what comes while it holds`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let send = try Running(Programs.thrum, ["send", "subscribe", "topics=cue", "--hold", "60", "--socket", daemon.socket])
        let client = try LineSocket(daemon.socket)
        #expect(try await eventually {
            _ = try client.call("chime.play", #"{"name":"ding"}"#)
            return send.output.contains(#""method":"cue""#)
        }, "\(send.output)")
        let lines = send.output.split(separator: "\n")
        #expect(lines[0].contains(#""topics":["cue"]"#), "the answer comes first")
        #expect(lines.dropFirst().allSatisfy { $0.contains(#""method":"cue""#) }, "and no answers to pings after it")
        #expect(daemon.terminate() == 0)
        #expect(send.finish().status == 69)
    }
}

/// `thrum` on a terminal of its own, and what it has written there.
private final class PseudoTerminal {
    /// POSIX_SPAWN_SETSID: the first terminal it opens is the one whose Ctrl-C it hears.
    private static let newSession: Int32 = 0x80

    private let master: Int32
    private let identifier: pid_t
    private var written: [UInt8] = []
    private var isOver = false

    init(_ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&master, &slave, &name, nil, &size) == 0 else {
            throw LineSocket.Failed(description: "there is no pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        defer { close(slave) }
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // It hears every signal, whatever this thread or the shell before it does.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.newSession))

        let variables = ProcessInfo.processInfo.environment.merging(["TERM": "xterm", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        var words: [UnsafeMutablePointer<CChar>?] = ([Programs.thrum] + arguments).map { strdup($0) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + values { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawn(&child, Programs.thrum, &actions, &attributes, &words, &values)
        guard failure == 0 else {
            close(master)
            throw LineSocket.Failed(description: "\(Programs.thrum) cannot be started: \(String(cString: strerror(failure)))")
        }
        self.master = master
        identifier = child
    }

    deinit {
        if !isOver {
            kill(identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
        close(master)
    }

    /// All that was written, with plain newlines.
    var text: String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = read(master, &buffer, buffer.count)
        while count > 0 {
            written += buffer[..<count]
            count = read(master, &buffer, buffer.count)
        }
        return String(decoding: written.filter { $0 != 13 }, as: UTF8.self)
    }

    /// The lines of the last whole drawing.
    var screen: [String] {
        let drawn = text.components(separatedBy: "\u{1B}[J").dropLast().last ?? ""
        let last = drawn.components(separatedBy: "\u{1B}[H").last ?? ""
        return last.components(separatedBy: "\u{1B}[K").dropLast().map { $0.hasPrefix("\n") ? String($0.dropFirst()) : $0 }
    }

    func row(_ label: String) -> String { screen.first { $0.hasPrefix(label) } ?? "" }

    /// Whether the cursor is there, and the screen that was there before.
    var isGivenBack: Bool {
        let all = text
        func isLast(_ word: String, after other: String) -> Bool {
            guard let range = all.range(of: word, options: .backwards) else { return false }
            return all.range(of: other, options: .backwards).map { $0.lowerBound < range.lowerBound } ?? true
        }
        return isLast("\u{1B}[?25h", after: "\u{1B}[?25l") && isLast("\u{1B}[?1049l", after: "\u{1B}[?1049h")
            && isLast("\u{1B}[?7h", after: "\u{1B}[?7l")
    }

    var isStopped: Bool { ((try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)) ?? "").contains(") T ") }

    func press(_ key: UInt8) {
        var key = key
        write(master, &key, 1)
    }

    func goOn() { kill(identifier, SIGCONT) }

    /// Waits for its end. A signal's number counts from 128.
    func finish() async throws -> Int32 {
        var word: Int32 = 0
        isOver = try await eventually {
            // What is not read would hold it up.
            _ = text
            return waitpid(identifier, &word, WNOHANG) == identifier
        }
        guard isOver else { throw LineSocket.Failed(description: "it does not end") }
        return word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + (word & 0x7F)
    }
}
