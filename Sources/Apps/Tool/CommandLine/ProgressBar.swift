import Glibc

/// A bar on standard error when that is a terminal, nothing when it is not.
struct ProgressBar: ~Copyable {
    private static let width = 40

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let title: String

    init(_ title: String) { self.title = title }

    /// `part` is 0…1.
    func show(_ part: Double) {
        guard isVisible else { return }
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        writeToStandardError("\r\(title) \(bar) \(Int(part * 100)) %")
    }

    /// Takes it away, until it is shown again.
    func clear() {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }

    deinit { clear() }
}
