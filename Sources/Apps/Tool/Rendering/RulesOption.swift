import ArgumentParser
import Offline

/// Which rules a journal is played by.
struct RulesOption: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument { case journal, today }

    @Option(help: "journal: as the session was played; today: by the rules of this Thrum, which may be others.")
    var rules = Choice.journal

    /// For cues, which a journal has itself.
    var forCues: ReplayRules { rules == .today ? .today : .recorded }

    /// For announcements and telemetry, which only rules give.
    var forRecords: ReplayRules { rules == .today ? .today : .same }
}
