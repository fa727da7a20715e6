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
    /// Verifies a receipt on a thread that may take its time, and has the piece take the purchase. The answer is the event's.
    func redeem(_ receipt: String, _ caller: Caller) {
        let declaration = conductor.piece.declaration
        guard declaration.purchase != nil else {
            return caller.refuse(ErrorReply(.refused, "the experience \(declaration.name) sells nothing"))
        }
        guard let verifier = settings.values.receipts else {
            return caller.refuse(ErrorReply(.refused, "there are no purchases: neither receipt-root nor receipt-key is set"))
        }
        guard kept.store != nil else {
            return caller.refuse(ErrorReply(.refused, "there are no purchases without a state directory"))
        }
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
                case .success(.success(let purchase)): stage.take(purchase, caller)
                case .success(.failure(let refusal)): caller.refuse(ErrorReply(.refused, fault: refusal.fault))
                case .failure: caller.refuse(ErrorReply(.refused, "shutting down"))
                }
            }
        }
    }

    private func take(_ purchase: Purchase, _ caller: Caller) {
        guard purchase.isRefund else { return place(purchase, caller) }
        refund(purchase, caller)
    }

    private func place(_ purchase: Purchase, _ caller: Caller) {
        guard let action = conductor.piece.declaration.purchase?.action else { return }
        let event = Action(UncheckedAction(name: action.name, fields: purchase.json))
        actOnce(on: KeyedActions.Asked(action: event, stamp: nil, caller: caller), by: purchase.key)
    }

    /// Of the household that has the purchase. A transaction that was refunded before it counted never counts.
    private func refund(_ purchase: Purchase, _ caller: Caller) {
        guard let store = kept.store else { return }
        let (piece, household) = (conductor.piece.declaration.name, conductor.household)
        let bought = Purchase.bought(purchase.transactionId)
        store.action(bought, of: piece, household: household) { [loop] known in
            loop.execute {
                self.assumeIsolated { stage in
                    switch known {
                    case .success(let action?) where action.household == stage.conductor.household: stage.place(purchase, caller)
                    case .success(let action?):
                        let expected = "a refund of the household that is there, \(stage.conductor.household)"
                        caller.refuse(ErrorReply(.refused, fault: Fault(field: "receipt", expected: expected, found: action.household)))
                    case .success(nil):
                        store.commit([.append(LedgerRow(piece: piece, household: household, claiming: bought, kind: "revoked"))])
                        let expected = "a purchase that was not refunded before it counted"
                        caller.refuse(ErrorReply(.refused, fault: Fault(field: "receipt", expected: expected)))
                    case .failure(let problem):
                        caller.refuse(ErrorReply(.refused, "a refund cannot be kept now: \(problem.reason)"))
                    }
                }
            }
        }
    }
}
