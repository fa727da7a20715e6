import FoundationEssentials
import Glibc
import SystemPackage

/// The terminal at standard output, on its alternate screen: afterwards the earlier content is there again.
struct Terminal {
    /// The sequence that enters another screen, empty, without a cursor, and with long lines cut instead of broken.
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    /// The sequence that leaves it. The new line at the bottom is for a terminal that has one screen only.
    private static let leaving = "\u{1B}[999;1H\r\n\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Whether there is a terminal that can be drawn on.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Whether lines may be coloured: not where they go to a file, and not against somebody's wish (no-color.org).
    static var hasColours: Bool { isThere && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty }

    private var isOpen = false
    private var keyboard = Keyboard()

    /// The bytes of the keys that were pressed since the last call.
    var keys: [UInt8] { keyboard.keys() }
    private var shown = ""

    /// The terminal's columns and rows, or the usual ones where it does not say.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows these lines, and nothing else. Throws `Errno`.
    mutating func show(_ lines: [String]) throws {
        guard isOurs else { return }
        // The end of a line goes with what it wrote over, and so does the rest of the screen.
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

    /// Whether the terminal is ours: it is not while we are in the background of a shell.
    private var isOurs: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        return group < 0 || group == getpgrp()
    }
}

/// The keyboard of the terminal at standard input, read key by key.
struct Keyboard {
    /// The terminal's settings as they were; nil while it is left alone.
    private var settings: termios?

    /// Has keys come at once, without being shown. Ctrl-C and Ctrl-Z are signals as before.
    mutating func open() {
        var found = termios()
        guard settings == nil, tcgetattr(STDIN_FILENO, &found) == 0 else { return }
        settings = found
        found.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // `read` returns at once (VTIME and VMIN of termios(3)).
        (found.c_cc.5, found.c_cc.6) = (0, 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &found)
    }

    /// Leaves the terminal as it was.
    mutating func close() {
        guard var settings else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        self.settings = nil
    }

    /// The bytes of keys that were pressed; none where standard input is no terminal.
    func keys() -> [UInt8] {
        guard settings != nil else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : []
    }
}
