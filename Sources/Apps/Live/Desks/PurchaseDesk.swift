import Conductor
import Experience
import Fields
import Signals
import SignedReceipts
import StateStore
import Wire

/// Carries out purchases and refunds, for which clients send signed receipts. A plain value. Thread: the event loop.
struct PurchaseDesk {
    private let declaration: Declaration
    private let store: StateStore?

    init(_ store: StateStore?, of declaration: Declaration) { (self.store, self.declaration) = (store, declaration) }

    /// Verifies a receipt on a worker thread, and has the piece carry out the purchase for the household that is present now. The client
    /// that sent the receipt gets the answer to the event that the purchase becomes.
    func redeem(_ receipt: String, _ caller: Caller, on stage: isolated Stage) {
        guard declaration.purchase != nil else {
            return caller.refuse(ErrorReply(.refused(.notHere), "the experience \(declaration.name) sells nothing"))
        }
        guard let verifier = stage.settings.values.receipts else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there are no purchases: neither receipt-root nor receipt-key is set"))
        }
        guard store != nil else {
            return caller.refuse(ErrorReply(.refused(.notHere), "there are no purchases without a state directory"))
        }
        if let reason = stage.kept.refusalOfReceipts { return caller.refuse(ErrorReply(.refused(.notKept), reason)) }
        if let refusal = stage.desks.rates.refusal(ofDeedBy: caller.client, on: stage) { return caller.refuse(refusal) }
        let household = stage.conductor.household
        let lane = stage.clients.presence.role(of: caller.client) == .operator ? stage.workers.operatorsMoney : stage.workers.money
        Later(caller).work(by: lane) { [now = stage.clock.instant] () throws(ErrorReply) in
            do throws(ReceiptRefusal) {
                return try verifier.verify(receipt, at: now)
            } catch {
                throw ErrorReply(.refused(.notNow), fault: error.fault)
            }
        } then: { stage, purchase in stage.desks.purchases.take(purchase, of: household, caller, stage) }
    }

    private func take(_ purchase: Purchase, of household: String, _ caller: Caller, _ stage: isolated Stage) {
        // A receipt was only accepted because there were a declaration and a store, and both last as long as the desk.
        guard let declared = declaration.purchase, let store else { preconditionFailure("a receipt is taken where purchases are kept") }
        guard !purchase.isRefund else { return refund(purchase, caller, in: store, stage) }
        let event = Action(UncheckedAction(name: declared.action.name, fields: purchase.json))
        let asked = KeyedActions.Asked(action: event, stamp: nil, caller: caller, household: household)
        stage.desks.keyed.act(once: asked, by: purchase.key, on: stage)
    }

    /// Takes back from the household that made the purchase what a refund concerns, even when another household is present. First looks up
    /// what the purchase gave. Meanwhile other requests about the same transaction wait.
    private func refund(_ purchase: Purchase, _ caller: Caller, in store: StateStore, _ stage: isolated Stage) {
        let bought = Purchase.bought(purchase.transactionId)
        let household = stage.conductor.household
        let key = KeyedActions.ScopedKey(bought, in: household)
        let last = stage.desks.keyed.ending(key, caller)
        stage.desks.keyed.inTurn(for: key, caller) { [declaration] in
            KeyedDesk.look(up: bought, of: household, in: store, declaration.name, last) { stage, known in
                let desk = stage.desks.purchases
                switch known {
                case .success(nil) where purchase.isWholeRefund: desk.revoke(bought, of: household, last, in: store)
                case .success(nil): last.refuse(receipt: "a refund of a purchase that has counted", found: "one of a part of another")
                case .success(let action?) where action.kind == LedgerRow.revoked:
                    last.refuse(receipt: "a refund of a purchase that has counted", found: "one that was revoked before it counted")
                case .success(let action?) where action.notKept == nil:
                    desk.count(purchase, takenBack: 0, of: action, last, in: store)
                case .success(let action?): last.refuseRefund(because: action.notKept ?? "")
                case .failure(let problem): last.refuseRefund(because: problem.reason)
                }
            }
        }
    }

    /// Adds up how much the earlier refunds have taken back, then settles this one. The key of a refund contains the sum taken back before
    /// it, so the refunds are looked up one after the other, from sum 0, until a key is unknown.
    private func count(_ purchase: Purchase, takenBack: Int, of action: StateStore.KnownAction, _ caller: Caller, in store: StateStore) {
        var purchase = purchase
        purchase.counted = Purchase.Counted(bought: action.moved, takenBack: takenBack)
        KeyedDesk.look(up: purchase.key, of: action.household, in: store, declaration.name, caller) { [purchase] stage, known in
            let desk = stage.desks.purchases
            switch known {
            case .success(nil): desk.settle(purchase, of: action, caller, stage)
            case .success(let refund?) where refund.notKept != nil: caller.refuseRefund(because: refund.notKept ?? "")
            // The earlier refund's postings were lost with a damaged database.
            case .success(let refund?) where refund.moved == 0:
                caller.refuse(receipt: "a refund of which it is known what was taken back before", found: "one whose entries are damaged")
            case .success(let refund?): desk.count(purchase, takenBack: takenBack + refund.moved, of: action, caller, in: store)
            case .failure(let problem): caller.refuseRefund(because: problem.reason)
            }
        }
    }

    /// Carries out a refund: as an event if the household that made the purchase is present, and otherwise in the stored memory and the
    /// ledger of that household.
    private func settle(_ purchase: Purchase, of action: StateStore.KnownAction, _ caller: Caller, _ stage: isolated Stage) {
        guard !stage.isClosing else { return caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down")) }
        guard action.piece == declaration.name, let declared = declaration.purchase else {
            return caller.refuse(receipt: "a refund of a purchase in \(declaration.name), the experience that is running",
                                 found: "one in \(action.piece)")
        }
        guard action.household != stage.conductor.household else {
            return stage.act(on: .action(Action(UncheckedAction(name: declared.action.name, fields: purchase.json))), at: nil, caller)
        }
        // The stored state of a household that has just left must be complete before it is read.
        stage.followConductor()
        guard let memory = stage.kept.memory(of: declaration.name, household: action.household) else {
            return caller.refuse(receipt: "a refund for a household of which something is known", found: "one whose memory was lost")
        }
        do throws(Fault) {
            let left = try stage.conductor.refund(purchase, of: memory)
            let keeping = Conductor.Keeping(household: action.household, memory: left.memory, ledger: [left.entry])
            stage.kept.keep(keeping, of: declaration.name) { result in
                let problem: NotKept? = if case .failure(let problem) = result { problem } else { nil }
                Later(caller).resume { _ in caller.answer(Receipt(frame: nil, notKept: problem?.reason)) }
            }
        } catch {
            caller.refuse(ErrorReply(.refused(.notNow), fault: error))
        }
    }

    /// Revokes a purchase that has not counted, so that it never counts. Answers when the revocation is on the disk.
    private func revoke(_ bought: ActionKey, of household: String, _ caller: Caller, in store: StateStore) {
        let row = LedgerRow(piece: declaration.name, household: household, revoking: bought)
        Later(caller).commit([.append(row)], in: store) { _, problem in
            if let problem { return caller.refuseRefund(because: problem.reason) }
            caller.refuse(receipt: "a purchase that was not refunded before it counted")
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
