/// The CRC-32 of IEEE 802.3, as `crc32` of zlib: reflected, polynomial 0x04C11DB7, begun and ended with all ones. "123456789" gives
/// CBF43926.
struct CRC32: Equatable, Sendable {
    /// What each byte value does to the register.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    private var register = UInt32.max

    /// Of all bytes so far.
    var value: UInt32 { ~register }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        // A copy in a local variable stays in a machine register.
        var register = self.register
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                for byte in bytes { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
            }
        }
        self.register = register
    }
}
