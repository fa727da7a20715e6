import Foundation
import TestSupport
import Wire

/// A UDP socket on loopback.
final class Datagrams {
    private let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    private var address = sockaddr_in()

    init(port: Int) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    func receive() throws -> OSCMessage {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0, case .message(let message) = try OSCPacket(Array(buffer[..<count])) else {
            throw LineSocket.Failed(description: "no answer")
        }
        return message
    }
}

/// A bundle of one message without values, at a time in nanoseconds since 1970-01-01.
struct OSCBundle {
    let bytes: [UInt8]

    init(at nanoseconds: Int64, _ address: String) {
        // NTP: seconds since 1900, and 2⁻³² of a second.
        let seconds = UInt64(nanoseconds / 1_000_000_000 + 2_208_988_800)
        let parts = (UInt64(nanoseconds % 1_000_000_000) << 32) / 1_000_000_000
        let time = withUnsafeBytes(of: (seconds << 32 | parts).bigEndian) { Array($0) }
        let message = OSCMessage(address).bytes
        bytes = Array("#bundle\0".utf8) + time + [0, 0, 0, UInt8(message.count)] + message
    }
}

/// Nanoseconds since 1970-01-01.
func wallClock() -> Int64 { read(CLOCK_REALTIME) }

func monotonicClock() -> Int64 { read(CLOCK_MONOTONIC) }

private func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
