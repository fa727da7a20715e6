import ControlSocket
import Glibc
import Signals
import Wire

/// What the stage knows of clients: who they are, what they hold, wait for, have planned and have set, and what was refused. A client that
/// goes is forgotten here. A class that only the stage has: its state is the event loop's.
final class Clients {
    var presence = Presence()
    var deferredAnswers = DeferredAnswers()
    var agenda = Agenda()
    var receipts = Receipts()
    var rejections = Rejections()
    var overload = Overload()
    var handMarks = HandMarks()

    func identity(of caller: Caller) -> Identity { presence.identity(of: caller.client) }

    /// Whether it is root or thrumd's own user, who could write the database by hand.
    func isAdministrator(_ caller: Caller) -> Bool { [.user(0), .user(geteuid())].contains(identity(of: caller)) }

    /// The client is gone. Returns what is to be called for the events that it had planned. What it holds it still holds.
    func forget(_ client: Int) -> [() -> Void] {
        presence.disconnected(client)
        return agenda.cancel(from: client)
    }
}
