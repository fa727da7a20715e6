import Foundation

/// A WAV read by the book (RIFF: Microsoft & IBM 1991; RF64: EBU Tech 3306), without the library that wrote it.
public struct WaveFile {
    public var isRF64 = false
    /// 1 for whole numbers, 3 for floating point.
    public var encoding = 0
    public var channels = 0
    public var rate = 0
    public var bits = 0
    /// As the header says.
    public var dataBytes: Int64 = 0
    public var data = Data()

    public init(_ file: Data) throws {
        guard file.count >= 12 else { throw Malformed(description: "\(file.count) bytes") }
        let form = String(decoding: file[0..<4], as: UTF8.self)
        guard form == "RIFF" || form == "RF64", String(decoding: file[8..<12], as: UTF8.self) == "WAVE" else {
            throw Malformed(description: "no RIFF")
        }
        isRF64 = form == "RF64"
        var position = 12
        var longData: Int64 = 0
        while position + 8 <= file.count {
            let name = String(decoding: file[position..<(position + 4)], as: UTF8.self)
            let size = Self.number(file, position + 4, bytes: 4)
            let body = position + 8
            switch name {
            case "ds64": longData = Self.number(file, body + 8, bytes: 8)
            case "fmt ":
                encoding = Int(Self.number(file, body, bytes: 2))
                channels = Int(Self.number(file, body + 2, bytes: 2))
                rate = Int(Self.number(file, body + 4, bytes: 4))
                bits = Int(Self.number(file, body + 14, bytes: 2))
                // Extensible: the real encoding begins the sub-format.
                if encoding == 0xFFFE { encoding = Int(Self.number(file, body + 24, bytes: 2)) }
            case "data":
                dataBytes = size == 0xFFFF_FFFF ? longData : size
                data = file[body..<min(file.count, body + Int(dataBytes))]
                return
            default: break
            }
            position = body + Int(size) + Int(size & 1)
        }
        throw Malformed(description: "no data chunk")
    }

    public init(path: String) throws { try self.init(Data(contentsOf: URL(fileURLWithPath: path))) }

    /// All samples, interleaved, full scale 1.
    public var samples: [Float] {
        let bytes = [UInt8](data)
        let width = bits / 8
        return stride(from: 0, to: bytes.count - width + 1, by: width).map { start in
            var value: UInt32 = 0
            for k in 0..<width { value |= UInt32(bytes[start + k]) << UInt32(8 * k + (4 - width) * 8) }
            if encoding == 3 { return Float(bitPattern: value) }
            return Float(Double(Int32(bitPattern: value)) / 0x1p31)
        }
    }

    private static func number(_ file: Data, _ start: Int, bytes: Int) -> Int64 {
        (0..<bytes).reduce(0) { start + $1 < file.count ? $0 | Int64(file[start + $1]) << Int64(8 * $1) : $0 }
    }

    public struct Malformed: Error, CustomStringConvertible { public var description: String }
}
