import CSndfile
import SystemPackage

/// A descriptor that only goes forward, dressed as the seekable file libsndfile wants.
///
/// It goes through three phases: the header is collected in memory; then it is brought to the length the file will have,
/// while nothing behind it counts; then it goes to the descriptor, and what follows it after it, in order. The header that
/// libsndfile writes once more when it closes is the same, and not written again.
///
/// Thread: one, the writer's.
final class ForwardOnlyFile {
    private enum Phase { case header, planning, streaming }

    private let descriptor: FileDescriptor
    private let dataBytes: Int64
    private var phase = Phase.header
    private var header: [UInt8] = []
    private var position: Int64 = 0
    /// The first write that failed.
    private(set) var failure: Errno?

    init(_ descriptor: FileDescriptor, dataBytes: Int64) {
        self.descriptor = descriptor
        self.dataBytes = dataBytes
    }

    /// From here on the header does not grow any more, and no sample is kept.
    func startPlanning() { phase = .planning }

    func startStreaming() {
        phase = .streaming
        header.withUnsafeBytes { send($0) }
    }

    /// Valid as long as this object lives.
    var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let callbacks = SF_VIRTUAL_IO(
        get_filelen: { file($0).length },
        seek: { file($2).seek($0, from: $1) },
        read: { _, _, _ in 0 },
        write: { file($2).write(UnsafeRawBufferPointer(start: $0, count: Int($1))) },
        tell: { file($0).position })

    private static func file(_ userData: UnsafeMutableRawPointer?) -> ForwardOnlyFile {
        guard let userData else { preconditionFailure("libsndfile returns the pointer it was given") }
        return Unmanaged<ForwardOnlyFile>.fromOpaque(userData).takeUnretainedValue()
    }

    private var length: Int64 { Int64(header.count) + dataBytes }

    private func seek(_ offset: Int64, from whence: Int32) -> Int64 {
        switch whence {
        case 0: position = offset
        case 1: position += offset
        default: position = length + offset
        }
        return position
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        switch phase {
        case .header:
            let end = Int(position) + bytes.count
            if header.count < end { header += [UInt8](repeating: 0, count: end - header.count) }
            header.replaceSubrange(Int(position)..<end, with: bytes)
        case .planning where position + Int64(bytes.count) <= header.count:
            header.replaceSubrange(Int(position)..<(Int(position) + bytes.count), with: bytes)
        case .streaming where position >= header.count:
            send(bytes)
        case .planning, .streaming:
            break
        }
        position += Int64(bytes.count)
        return failure == nil ? Int64(bytes.count) : 0
    }

    private func send(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        do {
            try descriptor.writeAll(bytes)
        } catch {
            failure = error as? Errno ?? .ioError
        }
    }
}
