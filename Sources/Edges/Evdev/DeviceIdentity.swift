/// By what an input device can be told from others.
public struct DeviceIdentity: Equatable, Sendable {
    /// For instance `/dev/input/event3`; may be another device's after a restart.
    public var node: String
    /// The links to it in /dev/input/by-path, without the folder: where it is plugged in.
    public var paths: [String]
    public var name: String
    /// The driver's word for where it is plugged in; empty if it has none.
    public var phys: String
    public var vendor: UInt16
    public var product: UInt16

    public init(node: String, paths: [String] = [], name: String, phys: String = "", vendor: UInt16 = 0, product: UInt16 = 0) {
        self.node = node
        self.paths = paths
        self.name = name
        self.phys = phys
        self.vendor = vendor
        self.product = product
    }

    /// `0eef:0001`, as lsusb prints it.
    public var number: String { Self.hexadecimal(vendor) + ":" + Self.hexadecimal(product) }

    private static func hexadecimal(_ value: UInt16) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
