import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The terminal at standard output, with its alternate screen. When that screen is left, the earlier content is shown again.
struct Terminal {
    /// The sequence that enters an empty alternate screen, hides the cursor, and has long lines cut instead of wrapped.
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// The sequence that leaves the alternate screen. Its line break at the bottom is for terminals that have no alternate screen.
    private static let leaving = "\u{1B}[999;1H\r\n\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Whether standard output is a terminal that can be drawn on.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether lines may be coloured: not in a file, and not where the user has set NO_COLOR (no-color.org).
    static var hasColours: Bool { isThere && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty }

    private var isOpen = false
    private var keyboard = Keyboard()

    /// The bytes of the keys that were pressed since the last call.
    var keys: [UInt8] { keyboard.keys() }
    private var shown = ""

    /// The terminal's width and height in characters; 80 and 24 where the terminal does not report them.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows `lines` and erases everything else. Throws `Errno`.
    mutating func show(_ lines: [String]) throws {
        guard isOurs else { return }
        // The rest of each line is erased after its text, and the rest of the screen after the last line.
        let drawing = "\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J"
        guard !isOpen || drawing != shown else { return }
        let text = isOpen ? drawing : Self.entering + drawing
        if !isOpen { keyboard.open() }
        isOpen = true
        shown = ""
        try FileDescriptor.standardOutput.writeAll(text.utf8)
        shown = drawing
    }

    /// Restores the terminal.
    mutating func leave() {
        guard isOpen else { return }
        isOpen = false
        keyboard.close()
        _ = try? FileDescriptor.standardOutput.writeAll(Self.leaving.utf8)
    }

    /// Whether this program is in the foreground of its terminal, and so may draw.
    private var isOurs: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }
}

/// The keyboard of the terminal at standard input, which is read key by key.
struct Keyboard {
    /// The terminal's original settings; nil while they are unchanged.
    private var settings: termios?

    /// Makes the terminal pass on each key at once, without showing it. Ctrl-C and Ctrl-Z still send signals.
    mutating func open() {
        var found = termios()
        guard settings == nil, tcgetattr(STDIN_FILENO, &found) == 0 else { return }
        settings = found
        found.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // `read` returns at once (VTIME and VMIN of termios(3)).
        (found.c_cc.5, found.c_cc.6) = (0, 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &found)
    }

    /// Restores the terminal's original settings.
    mutating func close() {
        guard var settings else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        self.settings = nil
    }

    /// Returns the bytes of keys that were pressed since the last call; none where standard input is not a terminal.
    func keys() -> [UInt8] {
        guard settings != nil else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : []
    }
}

/// Delays the effect of signals such as Ctrl-C until the terminal is restored.
enum HeldSignal {
    /// The number of the last signal whose effect is delayed; 0 where there is none.
    private static let last = Atomic<Int32>(0)

    /// Delays the effect of signals from now on: `take()` returns them, and `obey(_:)` lets them take effect.
    static func watch() {
        // The global is allocated here, because a signal handler must not allocate.
        last.store(0, ordering: .relaxed)
        for signalNumber in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] {
            signal(signalNumber) { HeldSignal.last.store($0, ordering: .relaxed) }
        }
    }

    /// Returns the number of the signal whose effect is delayed, and forgets it; nil where there is none.
    static func take() -> Int32? {
        let number = last.exchange(0, ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Lets the signal `number` take its usual effect. After Ctrl-Z this returns once somebody has continued the program.
    static func obey(_ number: Int32) {
        guard number != SIGTSTP else {
            raise(SIGSTOP)
            return
        }
        // The signal is blocked in threads that Swift's runtime makes.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
