import Experience
import Fields
import Glibc
import NIOPosix
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
        let household = conductor.household
        do throws(ErrorReply) {
            try deferredAnswers.begin()
        } catch {
            return caller.refuse(error)
        }
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { () -> Result<Purchase, ReceiptRefusal> in
            do throws(ReceiptRefusal) {
                return .success(try verifier.verify(receipt, at: time(nil)))
            } catch {
                return .failure(error)
            }
        }.assumeIsolated().whenComplete { outcome in
            self.assumeIsolated { stage in
                stage.deferredAnswers.end()
                switch outcome {
                case .success(.success(let purchase)): stage.take(purchase, of: household, caller)
                case .success(.failure(let refusal)): caller.refuse(ErrorReply(.refused(.notNow), fault: refusal.fault))
                case .failure: caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down"))
                }
            }
        }
    }

    private func take(_ purchase: Purchase, of household: String, _ caller: Caller) {
        if purchase.isRefund { refund(purchase, of: household, caller) } else { place(purchase, of: household, caller) }
    }

    private func place(_ purchase: Purchase, of household: String, _ caller: Caller) {
        guard let action = conductor.piece.declaration.purchase?.action else { return }
        let event = Action(UncheckedAction(name: action.name, fields: purchase.json))
        actOnce(on: KeyedActions.Asked(action: event, stamp: nil, caller: caller, household: household), by: purchase.key)
    }

    /// Of the household that has the purchase, when it is known whether that has counted. A transaction that was refunded before it counted
    /// never counts, and there is nothing to take back.
    private func refund(_ purchase: Purchase, of household: String, _ caller: Caller) {
        guard let store = kept.store else { return }
        let bought = Purchase.bought(purchase.transactionId)
        let place = KeyedActions.Place(bought, in: household)
        @Sendable func refuse(_ expected: String, found: String? = nil) {
            caller.refuse(ErrorReply(.refused(.notNow), fault: Fault(field: "receipt", expected: expected, found: found)))
        }
        inTurn(at: place) { [self] in
            look(up: bought, of: household, in: store) { stage, known in
                switch known {
                case .success(nil): return stage.revoke(bought, of: household, caller, in: store, at: place)
                case .success(let action?) where action.kind == LedgerRow.revoked:
                    refuse("a refund of a purchase that has counted", found: "one that was revoked before it counted")
                case .success(let action?) where action.household != household:
                    refuse("a refund of the household that is there, \(household)", found: action.household)
                case .success: stage.place(purchase, of: household, caller)
                case .failure(let problem):
                    caller.refuse(ErrorReply(.refused(.notKept), "a refund cannot be kept now: \(problem.reason)"))
                }
                stage.endTurn(at: place)
            }
        }
    }

    /// Answers when it is on the disk: then the purchase never counts.
    private func revoke(_ bought: ActionKey, of household: String, _ caller: Caller, in store: StateStore, at place: KeyedActions.Place) {
        let row = LedgerRow(piece: conductor.piece.declaration.name, household: household, revoking: bought)
        store.commit([.append(row)]) { [loop] result in
            let fault = Fault(field: "receipt", expected: "a purchase that was not refunded before it counted")
            let refusal = switch result {
            case .success: ErrorReply(.refused(.notNow), fault: fault)
            case .failure(let problem): ErrorReply(.refused(.notKept), "a refund cannot be kept now: \(problem.reason)")
            }
            loop.execute {
                self.assumeIsolated { stage in
                    caller.refuse(refusal)
                    stage.endTurn(at: place)
                }
            }
        }
    }
}
