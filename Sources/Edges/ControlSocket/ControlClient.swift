import Glibc
import NIOCore
import NIOPosix
import Wire

/// A client of the control socket, which sends lines and receives lines.
public struct ControlClient: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private init(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>) { self.channel = channel }

    /// Connects to `path`. Throws `ControlSocketError`.
    public static func connect(to path: String) async throws -> ControlClient {
        guard path.utf8.count <= 107 else { throw ControlSocketError.pathTooLong(path) }
        do {
            return ControlClient(
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(unixDomainSocketPath: path) {
                    channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                })
        } catch let error as IOError {
            throw ControlSocketError.refused(path, errno: error.errnoCode)
        }
    }

    /// Runs `body` with an `Exchange`, which sends lines (without their newlines) and receives answers. The connection closes when `body`
    /// returns.
    public func run<Result: Sendable>(
        _ body: @Sendable (_ exchange: Exchange) async throws -> Result
    ) async throws -> Result {
        try await channel.executeThenClose { inbound, outbound in
            try await body(Exchange(inbound: inbound.makeAsyncIterator(), outbound: outbound))
        }
    }

    /// One connection: sends lines and receives them. Not for concurrent use.
    public final class Exchange {
        private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private var framer = LineFramer(limit: 1 << 20)
        private var lines: [[UInt8]] = []

        init(inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
             outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>) {
            self.inbound = inbound
            self.outbound = outbound
        }

        public func send(_ line: [UInt8]) async throws {
            try await outbound.write(ByteBuffer(bytes: line + [UInt8(ascii: "\n")]))
        }

        /// Waits for the next line; nil when the daemon has closed the connection.
        public func receive() async throws -> [UInt8]? {
            while lines.isEmpty {
                guard let buffer = try await inbound.next() else { return nil }
                for case .complete(let line) in framer.append(buffer.readableBytesView) { lines.append(line) }
            }
            return lines.removeFirst()
        }
    }
}
