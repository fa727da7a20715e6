import Fields
import Files
import Settings
import SignedReceipts
import SystemPackage

// Whose receipts count.
extension SettingsReader {
    private static let longestFile = 65_536

    /// Nil where there are no purchases.
    var receipts: ReceiptVerifier? {
        let catalog = values.table.catalog
        guard values.receiptRoot == nil || values.receiptKey == nil else {
            note(Fault(field: catalog.receiptKey.entry.name, expected: "either receipt-root or receipt-key", found: "both"))
            return nil
        }
        let root = values.receiptRoot.flatMap { trust($0, catalog.receiptRoot.entry) { .root(in: $0) } }
        let key = values.receiptKey.flatMap { trust($0, catalog.receiptKey.entry) { .key(in: $0) } }
        guard let trust = root ?? key else { return nil }
        guard let bundleId = values.receiptBundleId else {
            note(Fault(field: catalog.receiptBundleId.entry.name, expected: "the bundle ID of the app whose receipts count", found: "none"))
            return nil
        }
        return ReceiptVerifier(trust, bundleId: bundleId, environment: values.receiptEnvironment)
    }

    private func trust(_ path: String, _ entry: SettingEntry, _ read: ([UInt8]) -> ReceiptVerifier.Trust?) -> ReceiptVerifier.Trust? {
        attempt {
            let bytes: [UInt8]
            do {
                bytes = try PlainFile.bytes(of: FilePath(path), atMost: Self.longestFile)
            } catch {
                throw Fault(field: entry.name, expected: entry.expected, found: "\(path): \(error)")
            }
            guard let trust = read(bytes) else { throw Fault(field: entry.name, expected: entry.expected, found: path) }
            return trust
        }
    }
}
