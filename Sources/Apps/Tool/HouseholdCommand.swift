import ArgumentParser

struct HouseholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: "Households: give one a secret, or take it away.",
        subcommands: [Secret.self])
}
