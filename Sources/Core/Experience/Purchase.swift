import Fields
import Signals

/// What was bought, or refunded, by a receipt that has been verified. The fields are those of StoreKit 2's signed transactions
/// (JWSTransactionDecodedPayload).
public struct Purchase: Equatable, Sendable {
    public var transactionId: String
    public var originalTransactionId: String
    public var productId: String
    /// Of the app that it was bought in.
    public var bundleId: String
    public var environment: PurchaseEnvironment
    /// Milliseconds since 1970-01-01 in UTC.
    public var purchaseDate: Int
    public var quantity: Int
    /// When it was refunded, the same; nil for a purchase that stands.
    public var revocationDate: Int?
    /// 0 or 1, as StoreKit has them.
    public var revocationReason: Int?

    public var isRefund: Bool { revocationDate != nil }

    /// A transaction counts once for all households, and so does its refund.
    public var key: ActionKey { !isRefund ? Self.bought(transactionId) : ActionKey("refund:\(transactionId)", for: .everybody) }

    /// The key under which a transaction has counted.
    public static func bought(_ transactionId: String) -> ActionKey { ActionKey("receipt:\(transactionId)", for: .everybody) }

    /// Further fields are left alone. Throws `Fault`.
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
    }

    /// As `init` reads it.
    public var json: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "transactionId": .text(transactionId), "originalTransactionId": .text(originalTransactionId), "productId": .text(productId),
            "bundleId": .text(bundleId), "environment": .text(environment.rawValue), "purchaseDate": .integer(Int64(purchaseDate)),
            "quantity": .integer(Int64(quantity)),
        ]
        fields["revocationDate"] = revocationDate.map { .integer(Int64($0)) }
        fields["revocationReason"] = revocationReason.map { .integer(Int64($0)) }
        return fields
    }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        for (name, value) in json { try container.encode(value, forKey: Fields.Key(name)) }
    }
}

/// Where something was bought: with money, or by who tries it out.
public enum PurchaseEnvironment: String, CaseIterable, Sendable {
    case production = "Production"
    case sandbox = "Sandbox"
}

/// How a piece takes purchases: an action that no client can report, only the house with a receipt that it has verified.
public struct PurchaseDeclaration: Sendable {
    /// What journals have.
    public let action: ActionDeclaration

    /// `make` gives the piece's own action. Its key is the purchase's, and it is encoded as the purchase is.
    public init(_ name: String, about: String, make: @escaping @Sendable (Purchase) -> any ActionBody) {
        action = ActionDeclaration(name, about: about) { make(try Purchase($0)) }
    }
}
