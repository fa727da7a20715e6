import Fields
import Glibc
import StateStore
import Wire

// Tokens for those who come over HTTP.
extension Stage {
    /// The answer has the token once it is on the disk. Where it cannot be kept, there is none. An operator cannot make another operator,
    /// as whom they could then approve their own prices.
    func addToken(named name: String, _ role: Role, _ caller: Caller) {
        guard let store = kept.store else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there is no state directory to keep a token in"))
        }
        guard role != .operator || isAdministrator(caller) else {
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
        store.commit([.admit(token.kept)]) { [loop] result in
            loop.execute {
                self.assumeIsolated { stage in
                    guard case .failure(let problem) = result else {
                        stage.tellPasses()
                        return caller.answer(NewToken(name: name, role: role, token: token.text))
                    }
                    _ = try? stage.tokens.revoke(name)
                    // It is not to get there later, when nobody has its text.
                    store.commit([.revoke(token: name)])
                    caller.refuse(ErrorReply(.refused(.notKept), "the token is not kept: \(problem.reason)"))
                }
            }
        }
    }

    /// It counts at once. The answer comes when it is on the disk, or says why it is not.
    func revokeToken(named name: String, _ caller: Caller) {
        let kept: String
        do throws(Fault) {
            kept = try tokens.revoke(name)
        } catch {
            return caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
        tellPasses()
        self.kept.store?.commit([.revoke(token: kept)]) { [loop] result in
            var receipt = Receipt(frame: nil)
            if case .failure(let problem) = result { receipt.notKept = problem.reason }
            let answer = receipt
            loop.execute { caller.answer(answer) }
        }
    }

    /// Those that are good are those that the HTTP server lets in.
    func tellPasses() { settings.values.http?.access.passes.replace(with: tokens.passes) }
}
