import Fields
import Signals

/// A purchase, or the refund of one, from a receipt whose signature has been verified. The fields are those of a signed transaction in
/// StoreKit 2 (JWSTransactionDecodedPayload).
public struct Purchase: Equatable, Sendable {
    public var transactionId: String
    public var originalTransactionId: String
    public var productId: String
    /// The identifier of the app in which the purchase was made.
    public var bundleId: String
    public var environment: PurchaseEnvironment
    /// The time of the purchase, in milliseconds since 1970-01-01 in UTC.
    public var purchaseDate: Int
    public var quantity: Int
    /// The time of the refund, in milliseconds since 1970-01-01 in UTC; nil for a purchase that was not refunded.
    public var revocationDate: Int?
    /// The reason for the refund, 0 or 1 as in StoreKit; nil where the receipt gives none.
    public var revocationReason: Int?
    /// The kind of the refund; nil for a purchase that was not refunded, and for refunds by shops that do not say it.
    public var revocationType: RevocationType?
    /// The part of the purchase that has been refunded so far, in thousandths of a percent, 0…100,000; nil stands for all of it.
    public var revocationPercentage: Int?
    /// The amount that the transaction gave, and the amount that earlier refunds of it took back, by the ledger. nil for a purchase, and
    /// for a refund in a journal that is older than this field.
    public var counted: Counted?

    /// The amount that a transaction gave, and the part of it that refunds have taken back so far, in units of what the piece sells.
    public struct Counted: Equatable, Sendable {
        public var bought: Int
        public var takenBack: Int

        public init(bought: Int, takenBack: Int = 0) {
            self.bought = bought
            self.takenBack = takenBack
        }
    }

    /// The value of `revocationPercentage` for all of a purchase, in thousandths of a percent.
    public static let whole = 100_000

    public var isRefund: Bool { revocationDate != nil }

    /// Whether nothing of the purchase is left after this refund.
    public var isWholeRefund: Bool { isRefund && (revocationPercentage ?? Self.whole) == Self.whole }

    /// The idempotency key. A transaction counts once, over all households. Each refund of it also counts once: the refund's key contains
    /// the amount taken back before it, which is different for each refund.
    public var key: ActionKey {
        guard isRefund else { return Self.bought(transactionId) }
        let before = counted?.takenBack ?? 0
        return ActionKey(before == 0 ? "refund:\(transactionId)" : "refund+\(before):\(transactionId)", for: .everybody)
    }

    /// Returns the idempotency key of the purchase with this transaction id.
    public static func bought(_ transactionId: String) -> ActionKey { ActionKey("receipt:\(transactionId)", for: .everybody) }

    /// Returns how much a refund takes back, in units of what the piece sells. `worth` is what the product gives, times the quantity. All
    /// refunds of one transaction together never take back more than it gave, nor more than the refunded percentage, rounded down.
    public func takesBack(of worth: Int) -> Int {
        guard let counted else { return worth }
        let (all, part) = (min(worth, counted.bought), revocationPercentage ?? Self.whole)
        // Computed in two steps, because the product of both numbers may overflow.
        let due = all / Self.whole * part + all % Self.whole * part / Self.whole
        return max(0, due - counted.takenBack)
    }

    /// Returns why this refund takes back nothing; nil when it takes something back, or is no refund. `worth` is what the product gives,
    /// times the quantity.
    public func refusal(ofRefundOf worth: Int) -> Fault? {
        guard isRefund, let counted, takesBack(of: worth) == 0 else { return nil }
        let part = Fault.plain(Double(revocationPercentage ?? Self.whole) / 1_000)
        return Fault(field: "receipt", expected: "a refund of more than was taken back before, \(counted.takenBack) of \(counted.bought)",
                     found: "one of \(part) %")
    }

    /// Reads a receipt. Fields that this function does not ask for are ignored. Throws `Fault`.
    public init(_ fields: Fields) throws {
        let dates = 0...(1 << 53)
        transactionId = try fields.text("transactionId", limit: 64)
        originalTransactionId = try fields.text("originalTransactionId", limit: 64)
        productId = try fields.text("productId", limit: 128)
        bundleId = try fields.text("bundleId", limit: 256)
        environment = try fields.choice("environment")
        purchaseDate = try fields.integer("purchaseDate", in: dates, unit: "ms")
        quantity = try fields.integer("quantity", in: 1...100)
        revocationDate = try fields.integerIfPresent("revocationDate", in: dates, unit: "ms")
        revocationReason = try fields.integerIfPresent("revocationReason", in: 0...1)
        revocationType = try fields.choiceIfPresent("revocationType")
        revocationPercentage = try fields.integerIfPresent("revocationPercentage", in: 0...Self.whole, unit: "thousandths of a percent")
        if revocationDate == nil, revocationType != nil || revocationPercentage != nil {
            throw Fault(field: "revocationDate", expected: "a time in ms, because something was revoked")
        }
        if revocationType == .prorated, revocationPercentage == nil {
            throw Fault(field: "revocationPercentage", expected: "0 to \(Self.whole) thousandths of a percent, because a part was refunded")
        }
    }

    /// Reads a purchase from the fields that `json` has written to a journal. Throws `Fault`.
    public init(recorded fields: Fields) throws {
        try self.init(fields)
        let amounts = 0...Transfer.amounts.upperBound
        if let bought = try fields.integerIfPresent("bought", in: amounts) {
            counted = Counted(bought: bought, takenBack: try fields.integer("takenBack", in: amounts))
        }
    }

    /// The purchase as the fields that `init(recorded:)` reads.
    public var json: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "transactionId": .text(transactionId), "originalTransactionId": .text(originalTransactionId), "productId": .text(productId),
            "bundleId": .text(bundleId), "environment": .text(environment.rawValue), "purchaseDate": .integer(Int64(purchaseDate)),
            "quantity": .integer(Int64(quantity)),
        ]
        fields["revocationDate"] = revocationDate.map { .integer(Int64($0)) }
        fields["revocationReason"] = revocationReason.map { .integer(Int64($0)) }
        fields["revocationType"] = revocationType.map { .text($0.rawValue) }
        fields["revocationPercentage"] = revocationPercentage.map { .integer(Int64($0)) }
        fields["bought"] = counted.map { .integer(Int64($0.bought)) }
        fields["takenBack"] = counted.map { .integer(Int64($0.takenBack)) }
        return fields
    }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        for (name, value) in json { try container.encode(value, forKey: Fields.Key(name)) }
    }
}

/// The shop of a purchase: the real one, or the one for tests.
public enum PurchaseEnvironment: String, CaseIterable, Sendable {
    case production = "Production"
    case sandbox = "Sandbox"
}

/// The part of a purchase that a refund takes back: all of it, a part, or what a family had shared.
public enum RevocationType: String, CaseIterable, Sendable {
    case whole = "REFUND_FULL"
    case prorated = "REFUND_PRORATED"
    case family = "FAMILY_REVOKE"
}

/// Declares how a piece receives purchases: by an action that only the house reports, with a receipt that the house has verified. Clients
/// cannot report this action.
public struct PurchaseDeclaration: Sendable {
    /// The action, as it stands in journals.
    public let action: ActionDeclaration

    /// Declares the action. `make` returns the piece's own body for it. That body's key and encoding must be those of the purchase.
    public init(_ name: String, about: String, make: @escaping @Sendable (Purchase) -> any ActionBody) {
        action = ActionDeclaration(name, about: about) { make(try Purchase(recorded: $0)) }
    }
}
