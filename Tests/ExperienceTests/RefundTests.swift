import Experience
import Fields
import Testing

/// How much refunds take back.
@Suite struct RefundTests {
    private func refund(_ percentage: Int?, bought: Int, takenBack: Int) throws -> Purchase {
        var fields: [String: JSONValue] = [
            "transactionId": .text("7"), "originalTransactionId": .text("7"), "productId": .text("gems"), "bundleId": .text("org.example"),
            "environment": .text("Sandbox"), "purchaseDate": .integer(1), "quantity": .integer(1), "revocationDate": .integer(2),
            "bought": .integer(Int64(bought)), "takenBack": .integer(Int64(takenBack)),
        ]
        fields["revocationPercentage"] = percentage.map { .integer(Int64($0)) }
        return try JSONValue.object(fields).read { try Purchase(recorded: $0) }
    }

    /// Examples of Apple's documentation of `revocationPercentage`, of 100,000 units.
    @Test(arguments: [(67_932, 67_932), (15, 15), (40_000, 40_000), (100_000, 100_000), (nil, 100_000), (0, 0)])
    func `the part is in thousandths of a percent, and all of it where nothing is said`(_ percentage: Int?, _ taken: Int) throws {
        #expect(try refund(percentage, bought: 100_000, takenBack: 0).takesBack(of: 100_000) == taken)
    }

    @Test func `the greatest amount there is has its exact part`() throws {
        let most = 1 << 53
        #expect(try refund(100_000, bought: most, takenBack: 0).takesBack(of: most) == most)
        // 2^53 * 33,333 / 100,000 = 3,002,369,727,582,814.86…
        #expect(try refund(33_333, bought: most, takenBack: 0).takesBack(of: .max) == 3_002_369_727_582_814)
    }

    /// 20,000 purchases with refunds of random parts, worths and order: after each, what was taken back is the greatest part so far of the
    /// lesser of what was bought and what the receipts claim, and so at most what was bought.
    @Test func `refunds of one transaction add up to the greatest part that one of them says`() throws {
        var random = SplitMix64(seed: 35)
        func below(_ count: Int) -> Int { random.below(count) }
        for _ in 0..<20_000 {
            let bought = 1 + below(below(2) == 0 ? 500 : 1 << 50)
            var (takenBack, greatest, keys) = (0, 0, Set<String>())
            for _ in 0..<(1 + below(6)) {
                let percentage = below(5) == 0 ? nil : below(100_001)
                let worth = below(3) == 0 ? 1 + below(bought) : bought * (1 + below(100))
                let refund = try refund(percentage, bought: bought, takenBack: takenBack)
                let taken = refund.takesBack(of: worth)
                // Exactly, in 128 bits.
                let due = Int(Int128(min(worth, bought)) * Int128(percentage ?? 100_000) / 100_000)
                greatest = max(greatest, due)
                #expect((refund.refusal(ofRefundOf: worth) == nil) == (taken > 0))
                if taken > 0 { #expect(keys.insert(refund.key.text).inserted) }
                takenBack += taken
                guard takenBack == greatest, takenBack <= bought else {
                    Issue.record("of \(bought), \(takenBack) were taken back, and \(greatest) were due")
                    return
                }
            }
        }
    }
}
