import Experience
import Fields

/// The lines of `thrum watch` where it draws no picture: when in the session, and what was told, in so many columns at most.
struct WatchLines {
    typealias Instant = ContinuousClock.Instant

    /// `--json` has all of what a line has no room for.
    static let width = 160
    /// Of the time.
    private static let margin = 10

    /// When the session under way has begun; nil between sessions.
    private var begun: Instant?

    /// `seconds` since the session's start; nil between sessions.
    init(session seconds: Double?, at now: Instant) { begun = seconds.map { now.advanced(by: .seconds(-$0)) } }

    /// For instance `    12.345  cue          cue=chime name=ding`; the time is in seconds since the session's start, `-` without one.
    mutating func line(_ told: Told, at now: Instant) -> String {
        let phase = told.method == "session" ? told.params["phase"] : nil
        if phase == .text("began") { begun = now }
        let time = begun.map { ($0.duration(to: now) / .seconds(1)).fixed(3) } ?? "-"
        if phase == .text("ended") { begun = nil }
        let line = String(repeating: " ", count: max(0, Self.margin - time.count)) + time + "  " + told.words
        return line.count <= Self.width ? line : String(line.prefix(Self.width - 1)) + "…"
    }
}
