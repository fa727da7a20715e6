import Fields
import Glibc
import HTTPServer
import StateStore
import Wire

/// Gives tokens to those who come over HTTP, and takes them back. A class that only the stage has: its state is the event loop's.
final class TokenDesk {
    private var tokens: Tokens
    private let store: StateStore?
    /// Those that the HTTP server lets in; nil without one.
    private let passes: Passes?

    /// Tells the HTTP server which are good.
    init(_ kept: Kept, _ passes: Passes?) {
        tokens = Tokens(kept.tokens)
        store = kept.store
        self.passes = passes
        tellPasses()
    }

    var list: TokenList { tokens.list }

    /// The answer has the token once it is on the disk. Where it cannot be kept, there is none. An operator cannot make another operator,
    /// as whom they could then approve their own prices: only an administrator can.
    func add(named name: String, _ role: Role, byAdministrator isAdministrator: Bool, _ caller: Caller) {
        guard let store else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory to keep a token in"))
        }
        guard role != .operator || isAdministrator else {
            let expected = "visitor or watch: only root and thrumd's own user make operators, on the control socket: two people publish"
            return caller.refuse(ErrorReply(.refused(.notAllowed), fault: Fault(field: "role", expected: expected, found: role.rawValue)))
        }
        let token: (kept: KeptToken, text: String)
        do throws(Fault) {
            var random = SystemRandomNumberGenerator()
            token = try tokens.add(named: name, role, created: time(nil), using: &random)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        let text = token.text
        Later(caller).commit([.admit(token.kept)], in: store) { stage, problem in
            let desk = stage.desks.tokens
            guard let problem else {
                desk.tellPasses()
                return caller.answer(NewToken(name: name, role: role, token: text))
            }
            _ = try? desk.tokens.revoke(name)
            // It is not to get there later, when nobody has its text.
            store.commit([.revoke(token: name)])
            caller.refuse(ErrorReply(.refused(.notKept), "the token is not kept: \(problem.reason)"))
        }
    }

    /// It counts at once. The answer comes when it is on the disk, or says why it is not.
    func revoke(named name: String, _ caller: Caller) {
        let kept: String
        do throws(Fault) {
            kept = try tokens.revoke(name)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tellPasses()
        // Without a state directory there is no token that could be revoked.
        guard let store else { return caller.answer(Receipt(frame: nil, notKept: Kept.nowhere.reason)) }
        Later(caller).commit([.revoke(token: kept)], in: store) { _, problem in
            caller.answer(Receipt(frame: nil, notKept: problem?.reason))
        }
    }

    /// Those that are good are those that the HTTP server lets in.
    private func tellPasses() { passes?.replace(with: tokens.passes) }
}
