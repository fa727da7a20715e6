/// What keys do to the live view: quit, pause, filter. A plain value, without a terminal.
struct LiveControls {
    private(set) var isPaused = false
    /// Whether keys are the filter's text.
    private(set) var isTyping = false
    private(set) var wantsToQuit = false
    private var typed: [UInt8] = []

    /// Only what has this text is shown of what happened; empty for all.
    var filter: String { String(decoding: typed, as: UTF8.self) }

    /// Takes a byte from the keyboard.
    mutating func press(_ key: UInt8) {
        if isTyping { type(key) } else { command(key) }
    }

    private mutating func command(_ key: UInt8) {
        switch key {
        case UInt8(ascii: "q"): wantsToQuit = true
        case UInt8(ascii: "p"), UInt8(ascii: " "): isPaused.toggle()
        case UInt8(ascii: "/"):
            typed = []
            isTyping = true
        case Self.escape: typed = []
        default: break
        }
    }

    private mutating func type(_ key: UInt8) {
        switch key {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isTyping = false
        case Self.escape:
            typed = []
            isTyping = false
        // Backspace, as terminals send it.
        case 8, 127: typed = Array(filter.dropLast().utf8)
        case 32...: if typed.count < 64 { typed.append(key) }
        default: break
        }
    }

    private static let escape: UInt8 = 27

    /// The line at the bottom. `waiting` is how much has happened since the pause.
    func hint(waiting: Int) -> String {
        let pause = isPaused ? "p goes on (paused, \(waiting) more)" : "p pauses"
        if isTyping { return "filter: \(filter)▏ Enter keeps it, Esc takes it away" }
        return "q quits, \(pause), " + (filter.isEmpty ? "/ filters" : "/ filters (\(filter)), Esc shows all")
    }
}
