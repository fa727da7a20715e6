import Experience
import Foundation
import SignedReceipts
import Testing
import TestSupport

/// Receipts that Python has made and signed (receipts.py).
@Suite struct SignedReceiptsTests {
    private struct Made: Decodable {
        struct Wrong: Decodable {
            var name: String
            var reason: String
            var receipt: String
        }

        var root: String
        var key: String
        var good: String
        var refund: String
        var half: String
        var sandbox: String
        var byKey: String
        var wrong: [Wrong]
    }

    private static let now = 1_800_000_000
    private static let made = Result {
        let program = repository + "/Tests/SignedReceiptsTests/receipts.py"
        let finished = try run("/usr/bin/python3", ["-W", "ignore", program, "\(now)"])
        return try JSONDecoder().decode(Made.self, from: finished.output)
    }

    private let made: Made
    private let verifier: ReceiptVerifier

    init() throws {
        made = try Self.made.get()
        verifier = ReceiptVerifier(try #require(.root(in: Array(made.root.utf8))), bundleId: "org.example.bank")
    }

    @Test func `a receipt that is signed by a chain to the root tells what was bought`() throws {
        let purchase = try verifier.verify(made.good, at: Self.now)
        #expect(purchase.transactionId == "1000" && purchase.productId == "coins_100" && purchase.quantity == 1)
        #expect(purchase.purchaseDate == Self.now * 1_000 - 60_000 && purchase.revocationDate == nil && purchase.environment == .production)
        #expect(purchase.key == Purchase.bought("1000"))
        let refund = try verifier.verify(made.refund, at: Self.now)
        #expect(refund.revocationDate == Self.now * 1_000 && refund.revocationReason == 0 && refund.key != purchase.key)
    }

    @Test func `a refund of a part says how much, and what the ledger has is never a receipt's to say`() throws {
        let refund = try verifier.verify(made.half, at: Self.now)
        #expect(refund.revocationType == .prorated && refund.revocationPercentage == 50_000 && refund.revocationReason == 1)
        #expect(refund.isRefund && !refund.isWholeRefund && refund.counted == nil)
    }

    @Test func `each wrong receipt is refused by its reason, and each reason there is refuses one`() throws {
        var reasons: Set<ReceiptRefusal.Reason> = []
        for wrong in made.wrong {
            do throws(ReceiptRefusal) {
                _ = try verifier.verify(wrong.receipt, at: Self.now)
                Issue.record("\(wrong.name) counts")
            } catch {
                #expect(error.reason.rawValue == wrong.reason, "\(wrong.name): \(error.fault)")
                reasons.insert(error.reason)
            }
        }
        #expect(made.wrong.count >= 60 && reasons == Set(ReceiptRefusal.Reason.allCases), "\(made.wrong.count) \(reasons)")
    }

    /// 400 days after they were made the certificates have expired, and a day before they were good.
    @Test func `certificates count when the receipt is shown`() {
        #expect((try? verifier.verify(made.good, at: Self.now + 364 * 86_400)) != nil)
        for (days, reason) in [(400, ReceiptRefusal.Reason.expired), (-400, .notYetValid)] {
            let error = #expect(throws: ReceiptRefusal.self) { try verifier.verify(made.good, at: Self.now + days * 86_400) }
            #expect(error?.reason == reason)
        }
    }

    @Test func `a receipt cut off anywhere, and one of which any byte is another, counts for nothing`() {
        let good = Array(made.good.utf8)
        for count in stride(from: 0, to: good.count, by: 7) {
            #expect(throws: ReceiptRefusal.self) { try verifier.verify(String(decoding: good[..<count], as: UTF8.self), at: Self.now) }
        }
        for index in stride(from: 0, to: good.count, by: 5) {
            var other = good
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: ReceiptRefusal.self) { try verifier.verify(String(decoding: other, as: UTF8.self), at: Self.now) }
        }
    }

    @Test func `with a key in place of a root, a receipt signed by it counts, with or without a chain, and no other`() throws {
        let byKey = ReceiptVerifier(try #require(.key(in: Array(made.key.utf8))), bundleId: "org.example.bank")
        #expect(try byKey.verify(made.byKey, at: Self.now).transactionId == "1000")
        #expect(#expect(throws: ReceiptRefusal.self) { try byKey.verify(made.good, at: Self.now) }?.reason == .signature)
        #expect(#expect(throws: ReceiptRefusal.self) { try verifier.verify(made.byKey, at: Self.now) }?.reason == .chainMissing)
    }

    @Test func `who tries it out takes the sandbox's receipts, and no others`() throws {
        let trust = try #require(ReceiptVerifier.Trust.root(in: Array(made.root.utf8)))
        let sandbox = ReceiptVerifier(trust, bundleId: "org.example.bank", environment: .sandbox)
        #expect(try sandbox.verify(made.sandbox, at: Self.now).environment == .sandbox)
        #expect(#expect(throws: ReceiptRefusal.self) { try sandbox.verify(made.good, at: Self.now) }?.reason == .environment)
    }

    @Test func `what is no certificate is no root, and what is no key of P-256 no key`() throws {
        #expect(ReceiptVerifier.Trust.root(in: Array("no".utf8)) == nil && ReceiptVerifier.Trust.root(in: []) == nil)
        #expect(ReceiptVerifier.Trust.key(in: Array(made.root.utf8)) == nil && ReceiptVerifier.Trust.root(in: Array(made.key.utf8)) == nil)
        #expect(ReceiptVerifier.Trust.key(in: Array("no".utf8)) == nil)
    }
}
