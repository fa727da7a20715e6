import Fields
import Wire

/// The methods for purchases, and for reading households' ledgers.
enum LedgerMethods {
    static let all: [Method] = [
        .command("purchase.redeem", .act(by: .page), refuses: [.notHere, .notNow, .notKept],
                 "A signed receipt of a purchase or a refund; each counts once.", read: {
            try $0.text("receipt", limit: 32_768, about: "a JWS in compact serialization, signed by ES256")
        }) { stage, receipt, caller in stage.desks.purchases.redeem(receipt, caller, on: stage) },
        .command("ledger.balances", .act(by: .operator), refuses: [.notHere, .unavailable],
                 "What a household's accounts come to.", result: "balances",
                 examples: [Example.balances], read: {
            (household: try household($0),
             last: try $0.integerIfPresent("upTo", in: 0...(1 << 53), about: "the number of the last entry that counts; all by default"))
        }) { stage, wanted, caller in
            stage.desks.ledger.tellBalances(of: wanted.household ?? stage.conductor.household, upTo: Int64(wanted.last ?? .max), caller,
                                            on: stage)
        },
        .command("ledger.entries", .act(by: .operator), refuses: [.notHere, .unavailable],
                 "A household's ledger, a part at a time.", result: "entries",
                 examples: [Example.entries], read: {
            (household: try household($0),
             after: try $0.integerIfPresent("after", in: 0...(1 << 53), about: "those after this number; from the beginning by default"),
             most: try $0.integerIfPresent("limit", in: 1...1_000, unit: "entries", about: "of the answer; 100 by default"))
        }) { stage, wanted, caller in
            stage.desks.ledger.tellEntries(of: wanted.household ?? stage.conductor.household, after: Int64(wanted.after ?? 0),
                                           atMost: wanted.most ?? 100, caller, on: stage)
        },
    ]

    /// Reads the household whose ledger is asked for; nil for the household that is present.
    private static func household(_ fields: Fields) throws -> String? {
        try fields.textIfPresent("household", limit: 64, about: "its name; the one that is there by default")
    }
}
