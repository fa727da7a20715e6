import Foundation
import PNG
import Testing
import TestSupport

@Suite struct GrayImageTests {
    /// The chunks of a PNG file by ISO/IEC 15948, section 5: length, type, data, CRC.
    private func chunks(_ png: [UInt8]) -> [(type: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = []
        var offset = 8
        while offset + 12 <= png.count {
            let length = png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            chunks.append((String(decoding: png[offset + 4..<offset + 8], as: UTF8.self), Array(png[offset + 8..<offset + 8 + length])))
            offset += 12 + length
        }
        return chunks
    }

    @Test func `an image is a PNG file of its size, eight bits of grey a pixel`() throws {
        let png = GrayImage(width: 300, height: 2, pixels: (0..<600).map { UInt8($0 % 251) }).png
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let chunks = chunks(png)
        // Width, height, bit depth 8, colour type 0, deflate, adaptive filters, not interlaced.
        #expect(chunks.first?.type == "IHDR" && chunks.first?.data == [0, 0, 1, 44, 0, 0, 0, 2, 8, 0, 0, 0, 0])
        #expect(chunks.last?.type == "IEND" && chunks.contains { $0.type == "IDAT" })
    }

    @Test func `another reader finds the same pixels`() throws {
        let pixels = (0..<40 * 30).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let scratch = try Scratch()
        let path = scratch.file("a.png")
        try Data(GrayImage(width: 40, height: 30, pixels: pixels).png).write(to: URL(fileURLWithPath: path))
        // The filters of ISO/IEC 15948, section 9, with zlib by Python.
        let reader = """
            import struct, sys, zlib
            data = open(sys.argv[1], 'rb').read()
            place, packed = 8, b''
            while place < len(data):
                size, kind = struct.unpack('>I4s', data[place:place + 8])
                body = data[place + 8:place + 8 + size]
                assert zlib.crc32(kind + body) == struct.unpack('>I', data[place + 8 + size:place + 12 + size])[0]
                if kind == b'IHDR': width, height = struct.unpack('>II', body[:8])
                if kind == b'IDAT': packed += body
                place += 12 + size
            raw, last = zlib.decompress(packed), bytes(width)
            for y in range(height):
                line = raw[y * (width + 1):(y + 1) * (width + 1)]
                kind, now = line[0], bytearray(line[1:])
                for x in range(width):
                    a, b, c = (now[x - 1] if x else 0), last[x], (last[x - 1] if x else 0)
                    p = a + b - c
                    paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                    now[x] = (now[x] + [0, a, b, (a + b) // 2, paeth][kind]) % 256
                print(*now)
                last = bytes(now)
            """
        let found = try run("/usr/bin/python3", ["-c", reader, path])
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) } == pixels)
    }
}
