import Experience
import Fields
import Signals
import Wire

/// The methods by which operators see to households' secrets.
enum SecretMethods {
    static let all: [Method] = [
        .command("household.secret", .act(by: .operator), refuses: [.notHere, .notNow, .notKept, .noRoom, .busy],
                 "A household has another secret from now on, or none.", read: {
            (household: try $0.plainName("household", limit: 64, about: "its name"),
             secret: try HouseholdSecret.read($0, about: "in place of the one before; without it the household has none"))
        }) { stage, wanted, caller in stage.desks.secrets.set(of: wanted.household, to: wanted.secret, caller, on: stage) },
    ]
}
