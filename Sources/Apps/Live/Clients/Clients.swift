import ControlSocket
import Glibc
import Signals
import Wire

/// What the stage knows of clients: who they are, what they hold, wait for and have planned, and how much they may do. A client that goes
/// is forgotten here. A class that only the stage has: its state is the event loop's.
final class Clients {
    var presence = Presence()
    var acts = LatestActs()
    var rates: HumanRates
    var deferredAnswers = DeferredAnswers()
    var agenda = Agenda()
    // Their fingers.
    var intake = TouchIntake()
    var ownership = TouchOwnership()
    var stream = TouchStream()

    /// `journalSpace` is what journals may take up, in bytes.
    init(journalSpace: Int64) { rates = HumanRates(journalSpace: journalSpace) }

    func identity(of caller: Caller) -> Identity { presence.identity(of: caller.client) }

    /// Whether it is root or thrumd's own user, who could write the database by hand.
    func isAdministrator(_ caller: Caller) -> Bool { [.user(0), .user(geteuid())].contains(identity(of: caller)) }

    /// The client is gone. Returns what is to be called for the events that it had planned. What it holds it still holds.
    func forget(_ client: Int) -> [() -> Void] {
        presence.disconnected(client)
        rates.forget(client)
        stream.forget(client)
        ownership.disconnected(client)
        intake.forget(.connection(client))
        return agenda.cancel(from: client)
    }
}
