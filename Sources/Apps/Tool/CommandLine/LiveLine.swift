import Escaping
import Glibc

/// One line on standard error that is written over and over when that is a terminal; nothing when it is not.
struct LiveLine: ~Copyable {
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isVisible { writeToStandardError("\r\u{1B}[K\(text.printable)") }
    }

    deinit {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }
}

/// A warning while a bar or a live line is shown, which is then drawn again below it.
func warnAboveBar(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { writeToStandardError("\r\u{1B}[K") }
    warn(message)
}
