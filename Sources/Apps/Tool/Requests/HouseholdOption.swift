import ArgumentParser

/// Whose figures are shown.
struct HouseholdOption: ParsableArguments {
    @Option(name: .customLong("household"),
            help: ArgumentHelp("The household's name. (default: the one that is there)", valueName: "household"))
    var name: String?

    /// For `Message`.
    var pairs: [String] {
        get throws { try name.map { [try Message.pair("household", $0)] } ?? [] }
    }
}
