/// The CRC-32 of IEEE 802.3, as `crc32` of zlib: reflected, polynomial 0x04C11DB7, begun and ended with all ones. "123456789" gives
/// CBF43926.
struct CRC32: Equatable, Sendable {
    /// What each byte value does to the register: 256 entries for the byte itself, then as many for each of up to seven bytes of zeros
    /// after it. So eight bytes can be taken at once ("slicing by 8": Kounavis & Berry, IEEE Transactions on Computers 57, 2008).
    private static let table: [UInt32] = {
        var table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
        }
        for entry in 0..<7 * 256 { table.append(table[entry] >> 8 ^ table[Int(table[entry] & 0xFF)]) }
        return table
    }()

    private var register = UInt32.max

    /// Of all bytes so far.
    var value: UInt32 { ~register }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        // A copy in a local variable stays in a machine register.
        var register = self.register
        Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var place = 0
                while place + 8 <= bytes.count {
                    let raw = UnsafeRawBufferPointer(bytes)
                    let low = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)) ^ register
                    let high = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
                    register = table[0x700 + Int(low & 0xFF)] ^ table[0x600 + Int(low >> 8 & 0xFF)] ^ table[0x500 + Int(low >> 16 & 0xFF)]
                        ^ table[0x400 + Int(low >> 24)] ^ table[0x300 + Int(high & 0xFF)] ^ table[0x200 + Int(high >> 8 & 0xFF)]
                        ^ table[0x100 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                    place += 8
                }
                for byte in bytes[place...] { register = register >> 8 ^ table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] }
            }
        }
        self.register = register
    }
}
