import Fields
import Signals
import Wire

/// The methods for purchases, for reading households' ledgers, and by which operators manage households and their secrets.
enum HouseholdMethods {
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
        .command("household.query", .act(by: .operator), refuses: [.notNow, .unavailable],
                 "What the piece answers for a household, which need not be there.",
                 result: "answer", examples: [[String: String]()], read: {
            (household: try name($0), query: try $0.text("query", limit: 64, about: "one of the piece's queries without parameters"))
        }) { stage, wanted, caller in
            caller.answer { () throws(ErrorReply) in try stage.desks.queries.answer(wanted.query, of: wanted.household, on: stage) }
        },
        .command("household.list", .act(by: .operator), refuses: [.notHere, .unavailable],
                 "Households of which something is kept, by their names' order, a part at a time.",
                 result: "households", examples: [Example.households], read: {
            (after: try $0.textIfPresent("after", limit: 64, about: "those after this name; from the beginning by default"),
             most: try $0.integerIfPresent("limit", in: 1...1_000, unit: "households", about: "of the answer; 100 by default"))
        }) { stage, wanted, caller in
            stage.desks.households.tell(after: wanted.after ?? "", atMost: wanted.most ?? 100, caller, on: stage)
        },
        .command("household.remove", .act(by: .operator), refuses: [.notHere, .notNow, .notKept, .busy],
                 "A household that is not there is forgotten; an entry takes its balances back to zero.", read: { try name($0) }) {
            stage, household, caller in stage.desks.households.remove(household, caller, on: stage)
        },
        .command("household.merge", .act(by: .operator), refuses: [.notHere, .notNow, .notKept, .busy],
                 "A household that is not there is forgotten, and another one, which is not there either, gets its balances.", read: {
            (household: try name($0), into: try $0.text("into", limit: 64, about: "the name of the one that stays"))
        }) { stage, wanted, caller in stage.desks.households.merge(wanted.household, into: wanted.into, caller, on: stage) },
        .command("household.secret", .act(by: .operator), refuses: [.notHere, .notNow, .notKept, .noRoom, .busy],
                 "A household has another secret from now on, or none.", read: {
            (household: try name($0),
             secret: try HouseholdSecret.read($0, about: "in place of the one before; without it the household has none"))
        }) { stage, wanted, caller in stage.desks.secrets.set(of: wanted.household, to: wanted.secret, caller, on: stage) },
    ]

    private static func name(_ fields: Fields) throws -> String { try fields.plainName("household", limit: 64, about: "its name") }

    /// Reads the household whose ledger is asked for; nil for the household that is present.
    private static func household(_ fields: Fields) throws -> String? {
        try fields.textIfPresent("household", limit: 64, about: "its name; the one that is there by default")
    }
}
