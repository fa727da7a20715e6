import Calendar
import Experience
import Fields
import Journal
import Signals
import Units

/// What a journal's entries come to, one after the other. A plain value: a copy is a place from which one can go on.
struct ReplayFold: Sendable {
    let header: JournalHeader
    /// The cues that the session begins with.
    let opening: [Cue]
    /// All that the events so far have come to; nil where the cues are those of the journal's lines.
    private(set) var run: Run?
    /// What the piece told because of the last entry; nothing without rules.
    private(set) var announcements: [Announcement] = []
    private(set) var hasEvents = false
    /// Whether the journal is not as it was written at the last event, or above it: lines are changed, or entries are missing.
    private(set) var isBehindDamage = false
    /// Entries that the journal says are missing from it, and the frame from which the first of them is.
    private(set) var lostEntries = 0
    private(set) var firstLost: Frame?
    /// Why the session ended; nil before its end.
    private(set) var end: SessionEnd?
    /// Whatever other themes come during the session.
    private let keepsTheme: Bool
    /// What the experience was told of the time at the last event, and at the last that is not the engine's own.
    private var now = Frame.zero
    private var time = Frame.zero
    /// The last event that said what time it is, and when it came.
    private var clock: (told: CivilTime, at: Frame)?

    /// Throws `JournalFault` where the rules that are wanted are not in this build.
    init(_ header: JournalHeader, by rules: ReplayRules, _ pieces: [any Experience.Type]) throws(JournalFault) {
        let theme: Theme? = if case .themed(let theme, _) = rules { theme } else { nil }
        var header = header
        header.theme = theme ?? header.theme
        let run = try rules.run(of: header, pieces)
        self.header = header
        keepsTheme = theme != nil
        self.run = run
        opening = run?.opening ?? header.rules?.opening ?? []
    }

    /// Acts on the entry of the line `line`, counted from 1. `isChanged`: the sums say that this line or one above it is not as it was
    /// written. Returns an event's cues, and where entries are missing those of a stop; nil for what is neither. Throws `JournalFault`.
    mutating func take(_ entry: JournalEntry, line: Int, isChanged: Bool) throws(JournalFault) -> [Cue]? {
        announcements = []
        switch entry {
        case .event(let event, let frame, let due, let recorded):
            isBehindDamage = isBehindDamage || isChanged
            hasEvents = true
            return try take(event, at: due ?? frame, line: line) ?? recorded ?? []
        case .discontinuity(.lost(let entries), let frame):
            isBehindDamage = true
            lostEntries += entries
            firstLost = firstLost ?? frame
            // Who held what from then on, nobody knows.
            let effects = run?.releaseAll(at: now)
            announcements = effects?.announcements ?? []
            return effects?.cues ?? [.stop]
        case .end(let end, _):
            self.end = end
            return nil
        case .header, .discontinuity, .checkpoint: return nil
        }
    }

    /// The cues that the rules give; nil where there are none.
    private mutating func take(_ event: Event, at due: Frame, line: Int) throws(JournalFault) -> [Cue]? {
        if keepsTheme, case .theme = event.kind { return [] }
        let admitted: AdmittedEvent?
        do throws(Fault) {
            admitted = try run?.admit(event, at: due)
        } catch {
            // Live would have refused it, so it is in no honest journal; but what made it possible may be lost.
            // And another theme may lack a name that the session's had; that is silent.
            guard lostEntries > 0 || keepsTheme else { throw JournalFault(line: line, fault: Self.ofLine(error)) }
            return []
        }
        now = due
        switch event.kind {
        case .arrival(let arrival): clock = (arrival.civilTime, due)
        case .tick(let civilTime): clock = (civilTime, due)
        default: break
        }
        if event.client != .engine { time = due }
        guard let admitted, let effects = run?.act(on: admitted, at: due) else { return nil }
        announcements = effects.announcements
        return effects.cues
    }

    /// What requests have as their method, lines have as their event.
    private static func ofLine(_ fault: Fault) -> Fault {
        fault.field == "method" ? Fault(field: "event", expected: fault.expected, found: fault.found) : fault
    }

    /// What time it was at the last event, by those that say it; nil where none has.
    var civilTime: CivilTime? {
        clock.map { told, at in
            CivilTime(instant: told.instant + header.sampleRate.seconds(in: now - at).rawValue, utcOffset: told.utcOffset)
        }
    }

    /// What the session has come to so far.
    var record: Announcement? { run?.record(at: time) }
}
