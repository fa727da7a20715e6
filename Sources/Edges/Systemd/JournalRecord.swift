/// One entry for the system's journal: fields by the native protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/).
struct JournalRecord {
    private(set) var bytes: [UInt8] = []

    /// A value of more scalars is cut, so that some such fields still fit into a datagram, which holds about 200 KiB.
    private static let longest = 8192

    /// `field` is a name as journals have them: `A` to `Z`, digits and `_`.
    mutating func append(_ field: String, _ value: String) {
        let value = Array(String(String.UnicodeScalarView(value.unicodeScalars.prefix(Self.longest))).utf8)
        bytes += Array(field.utf8)
        if value.contains(UInt8(ascii: "\n")) {
            // In lines a second one would be taken for another field.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// A field's name for a key of a log record's metadata: `THRUM_MAX_RATE` for `max-rate`. At most 64 characters.
    static func field(_ key: String) -> String {
        let name = key.uppercased().unicodeScalars.map { scalar in
            switch scalar {
            case "A"..."Z", "0"..."9": Character(scalar)
            default: "_" as Character
            }
        }
        return String(("THRUM_" + name).prefix(64))
    }
}
