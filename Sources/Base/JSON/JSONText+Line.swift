extension JSONText {
    /// The line, from 1, on which `bytes` stop being JSON, for people who wrote them; nil if they are JSON.
    public static func line(ofFaultIn bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(buffer, .none)
            do throws(JSONRefusal) {
                try scanner.scan()
                return nil
            } catch {
                return 1 + buffer.prefix(scanner.place).count { $0 == UInt8(ascii: "\n") }
            }
        }
    }
}
