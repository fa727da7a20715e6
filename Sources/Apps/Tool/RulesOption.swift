import ArgumentParser
import Offline

/// By which rules a journal is gone through again.
struct RulesOption: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument { case journal, today }

    @Option(help: "journal: as the session was played; today: by the rules of this Thrum, which may be others.")
    var rules = Choice.journal

    /// For what is heard and felt, which a journal says itself.
    var forCues: ReplayRules { rules == .today ? .today : .recorded }

    /// For what only rules can say.
    var forRecords: ReplayRules { rules == .today ? .today : .same }
}
