import Glibc

/// The keyboard of the terminal at standard input, read key by key.
struct Keyboard {
    /// As it was; nil while it is left alone.
    private var settings: termios?

    /// From now on keys come at once, and are not shown. Ctrl-C and Ctrl-Z are signals as before.
    mutating func open() {
        var found = termios()
        guard settings == nil, tcgetattr(STDIN_FILENO, &found) == 0 else { return }
        settings = found
        found.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // `read` returns at once (VTIME and VMIN of termios(3)).
        (found.c_cc.5, found.c_cc.6) = (0, 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &found)
    }

    /// Leaves it as it was.
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
