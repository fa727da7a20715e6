import Experience
import Fields
import Files
import SoundFile
import SystemPackage
import Units

/// The result of checking whether a WAV contains the sound of a session, bit for bit. For that the session is rendered again, in the way
/// that the file's header describes.
public enum SoundIdentity: Equatable, Sendable {
    case same(frames: Int64)
    /// This is the first frame, counted from 0, at which file and session differ, or that only one of them has.
    case different(frame: Int64, rate: SampleRate)

    /// Renders the session in each way in which the file may have been rendered, until one gives the file's samples. Calls `progress` with
    /// the fraction that is done, 0…1. Throws a `Fault` for a file that is no WAV of that kind, and errors as `Rendering.render` does.
    public init(_ wave: FilePath, of journal: FilePath, _ pieces: [any Experience.Type], progress: (Double) -> Void = { _ in }) throws {
        let file = try FileDescriptor.open(wave, .readOnly)
        defer { try? file.close() }
        guard let header = ReadWAVHeader(try file.bytes(atMost: ReadWAVHeader.longest)), header.channels <= 2 else {
            throw Fault(field: "", expected: "a WAV of 16 bits, 24 bits or float with one or two channels, as thrum render writes it",
                        found: "something else")
        }
        var furthest: Int64 = -1
        let ways = Self.ways(header, journal, pieces)
        for (index, options) in ways.enumerated() {
            try file.seek(offset: header.start, from: .start)
            let found = try Self.difference(file, header, journal, options) { progress((Double(index) + $0) / Double(ways.count)) }
            guard let found else {
                self = .same(frames: header.bytes / Int64(header.bytesPerFrame))
                return
            }
            furthest = max(furthest, found)
        }
        self = .different(frame: furthest, rate: header.rate)
    }

    /// Returns the ways in which a file with this header may have been rendered, the usual ones first.
    private static func ways(_ header: ReadWAVHeader, _ journal: FilePath, _ pieces: [any Experience.Type]) -> [Rendering.Options] {
        let channels: [SoundFileLayout.Channels] = header.channels == 1 ? [.mono] : [.doubled, .interleaved]
        let dithers = header.format == .float32 ? [false] : [false, true]
        return dithers.flatMap { dither in
            channels.map { channels in
                var options = Rendering.Options(pieces)
                options.format = header.format
                options.rate = header.rate
                options.channels = channels
                options.dither = dither
                return options
            }
        }
    }

    /// Returns the first frame at which the file and the session differ; nil if all samples are equal. `file` must be at its first sample.
    private static func difference(_ file: FileDescriptor, _ header: ReadWAVHeader, _ journal: FilePath, _ options: Rendering.Options,
                                   progress: (Double) -> Void) throws -> Int64? {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        let rendering = BoundedChannel<(any Error)?>.start(capacity: 1) { channel in
            var failure: (any Error)?
            do {
                _ = try Rendering.render(journal, to: pipe.writeEnd, options)
            } catch {
                failure = error
            }
            try? pipe.writeEnd.close()
            channel.put(failure)
        }
        defer { rendering.abandon() }
        var first: Int64?
        var unread: (any Error)?
        var compared: Int64 = 0
        func note(_ byte: Int64) { first = first ?? byte / Int64(header.bytesPerFrame) }
        var beginning: [UInt8] = []
        var isInSamples = false
        // Of the rendered samples. Behind them there may be a byte that makes their chunk even.
        var ownBytes: Int64 = 0
        // To the end also behind a difference: whoever writes into the pipe waits for that.
        while case var block = try pipe.readEnd.bytes(atMost: 1 << 16), !block.isEmpty {
            if !isInSamples {
                beginning += block
                guard let own = ReadWAVHeader(beginning), own.start <= beginning.count else { continue }
                isInSamples = true
                ownBytes = own.bytes
                block = Array(beginning[Int(own.start)...])
            }
            block = Array(block.prefix(Int(min(Int64(block.count), ownBytes - compared))))
            let rest = Int(min(Int64(block.count), max(0, header.bytes - compared)))
            var other: [UInt8] = []
            do {
                if rest > 0, first == nil, unread == nil { other = try file.bytes(atMost: rest) }
            } catch {
                unread = error
            }
            if first == nil, block != other {
                if let index = zip(block, other).enumerated().first(where: { $1.0 != $1.1 })?.offset {
                    note(compared + Int64(index))
                } else if other.count < block.count {
                    note(compared + Int64(other.count))
                }
            }
            compared += Int64(block.count)
            progress(min(1, Double(compared) / Double(max(1, header.bytes))))
        }
        if let error = unread ?? rendering.take() ?? nil { throw error }
        if compared < header.bytes { note(compared) }
        return first
    }
}
