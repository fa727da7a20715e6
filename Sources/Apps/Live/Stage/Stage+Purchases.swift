import Conductor
import Experience
import Fields
import Signals
import SignedReceipts
import StateStore
import Wire

// Purchases, by signed receipts.
extension Stage {
    /// Verifies a receipt on a thread that may take its time, and has the piece take the purchase for the household that is there
    /// now. The answer is the event's.
    func redeem(_ receipt: String, _ caller: Caller) {
        let declaration = conductor.piece.declaration
        guard declaration.purchase != nil else {
            return caller.refuse(ErrorReply(.refused(.notHere), "the experience \(declaration.name) sells nothing"))
        }
        guard let verifier = settings.values.receipts else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there are no purchases: neither receipt-root nor receipt-key is set"))
        }
        guard kept.store != nil else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there are no purchases without a state directory"))
        }
        if let reason = kept.refusalOfReceipts { return caller.refuse(ErrorReply(.refused(.notKept), reason)) }
        if let refusal = refusalOfDeedForNow(from: caller.client) { return caller.refuse(refusal) }
        let household = conductor.household
        let lane = presence.role(of: caller.client) == .operator ? workers.operatorsMoney : workers.money
        work(lane, caller) { [now = clock.instant] () throws(ErrorReply) in
            do throws(ReceiptRefusal) {
                return try verifier.verify(receipt, at: now)
            } catch {
                throw ErrorReply(.refused(.notNow), fault: error.fault)
            }
        } then: { stage, purchase in stage.take(purchase, of: household, caller) }
    }

    private func take(_ purchase: Purchase, of household: String, _ caller: Caller) {
        guard let declared = conductor.piece.declaration.purchase, let store = kept.store else { return }
        guard !purchase.isRefund else { return refund(purchase, caller, in: store) }
        let event = Action(UncheckedAction(name: declared.action.name, fields: purchase.json))
        actOnce(on: KeyedActions.Asked(action: event, stamp: nil, caller: caller, household: household), by: purchase.key)
    }

    /// Against the household that has the purchase, whoever is there, when it is known what the purchase gave. Nothing else of the
    /// transaction is under way meanwhile.
    private func refund(_ purchase: Purchase, _ caller: Caller, in store: StateStore) {
        let bought = Purchase.bought(purchase.transactionId)
        let household = conductor.household
        let place = KeyedActions.Place(bought, in: household)
        // Every answer ends the turn, also one that nobody waits for.
        let last = Caller(client: caller.client, id: caller.id ?? .null, reply: { [loop] line in
            if caller.id != nil { caller.reply(line) }
            loop.execute { self.assumeIsolated { $0.endTurn(at: place) } }
        }, stage: self)
        inTurn(at: place, caller) { [self] in
            look(up: bought, of: household, in: store) { stage, known in
                switch known {
                case .success(nil) where purchase.isWholeRefund: stage.revoke(bought, of: household, last, in: store)
                case .success(nil): last.refuse(receipt: "a refund of a purchase that has counted", found: "one of a part of another")
                case .success(let action?) where action.kind == LedgerRow.revoked:
                    last.refuse(receipt: "a refund of a purchase that has counted", found: "one that was revoked before it counted")
                case .success(let action?) where action.notKept == nil:
                    stage.count(purchase, takenBack: 0, of: action, last, in: store)
                case .success(let action?): last.refuseRefund(because: action.notKept ?? "")
                case .failure(let problem): last.refuseRefund(because: problem.reason)
                }
            }
        }
    }

    /// Adds up what the refunds before this one have taken back: the key of each has the sum of those before it.
    private func count(_ purchase: Purchase, takenBack: Int, of action: StateStore.KnownAction, _ caller: Caller, in store: StateStore) {
        var purchase = purchase
        purchase.counted = Purchase.Counted(bought: action.moved, takenBack: takenBack)
        look(up: purchase.key, of: action.household, in: store) { [purchase] stage, known in
            switch known {
            case .success(nil): stage.settle(purchase, of: action, caller)
            case .success(let refund?) where refund.notKept != nil: caller.refuseRefund(because: refund.notKept ?? "")
            // Its postings went with a database that was damaged.
            case .success(let refund?) where refund.moved == 0:
                caller.refuse(receipt: "a refund of which it is known what was taken back before", found: "one whose entries are damaged")
            case .success(let refund?): stage.count(purchase, takenBack: takenBack + refund.moved, of: action, caller, in: store)
            case .failure(let problem): caller.refuseRefund(because: problem.reason)
            }
        }
    }

    /// The refund is an event where the household is there, else it is entered in that household's books alone.
    private func settle(_ purchase: Purchase, of action: StateStore.KnownAction, _ caller: Caller) {
        let declaration = conductor.piece.declaration
        guard !isClosing else { return caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down")) }
        guard action.piece == declaration.name, let declared = declaration.purchase else {
            return caller.refuse(receipt: "a refund of a purchase in \(declaration.name), the experience that is running",
                                 found: "one in \(action.piece)")
        }
        guard action.household != conductor.household else {
            return act(on: .action(Action(UncheckedAction(name: declared.action.name, fields: purchase.json))), at: nil, caller)
        }
        // Of who has just left, too.
        followConductor()
        guard let memory = kept.memory(of: declaration.name, household: action.household) else {
            return caller.refuse(receipt: "a refund for a household of which something is known", found: "one whose memory was lost")
        }
        do throws(Fault) {
            let left = try conductor.refund(purchase, of: memory)
            let keeping = Conductor.Keeping(household: action.household, memory: left.memory, ledger: [left.entry])
            kept.keep(keeping, of: declaration.name) { [loop] result in
                let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
                loop.execute { caller.answer(Receipt(frame: nil, notKept: problem?.reason)) }
            }
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    /// Answers when it is on the disk: then the purchase never counts.
    private func revoke(_ bought: ActionKey, of household: String, _ caller: Caller, in store: StateStore) {
        let row = LedgerRow(piece: conductor.piece.declaration.name, household: household, revoking: bought)
        store.commit([.append(row)]) { [loop] result in
            loop.execute {
                switch result {
                case .success: caller.refuse(receipt: "a purchase that was not refunded before it counted")
                case .failure(let problem): caller.refuseRefund(because: problem.reason)
                }
            }
        }
    }
}

extension Caller {
    fileprivate func refuse(receipt expected: String, found: String? = nil) {
        refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "receipt", expected: expected, found: found)))
    }

    fileprivate func refuseRefund(because reason: String) {
        refuse(ErrorReply(.refused(.notKept), "a refund cannot be kept now: \(reason)"))
    }
}
