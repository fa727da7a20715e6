import Signals

/// When each finger that is down, and each tone that a client holds, gave its last sign of life. Thread: the event loop.
///
/// A finger gives one by moving, a tone when its holder sets it again. A client listed here may hold nothing any more: only the run knows.
struct Holds {
    private struct Hold: Hashable {
        var client: Client
        /// Nil for the tone.
        var finger: Int?
    }

    /// A person has as many. More of one client would take those of others, of which there are 64.
    static let mostFingers = 10

    /// The last sign of each, CLOCK_MONOTONIC in nanoseconds.
    private var signs: [Hold: Int64] = [:]

    /// `event` has been acted on.
    mutating func follow(_ event: Event, at now: Int64) {
        switch event.kind {
        case .touch(let touch):
            let finger = Hold(client: event.client, finger: touch.finger)
            switch touch.phase {
            case .began: signs[finger] = now
            case .moved: if signs[finger] != nil { signs[finger] = now }
            case .ended: signs[finger] = nil
            }
        case .tone(let request):
            let tone = Hold(client: event.client)
            if request.on == false { signs[tone] = nil } else if request.on == true || signs[tone] != nil { signs[tone] = now }
        case .left: forget(event.client)
        case .stop: signs = [:]
        default: break
        }
    }

    /// It holds nothing any more.
    mutating func forget(_ client: Client) { signs = signs.filter { $0.key.client != client } }

    /// The session is over.
    mutating func end() { signs = [:] }

    /// Whether a client may put down one more finger, or has this one down already.
    func hasRoom(for finger: Int, of client: Client) -> Bool {
        signs[Hold(client: client, finger: finger)] != nil
            || signs.keys.count { $0.client == client && $0.finger != nil } < Self.mostFingers
    }

    /// Clients that hold something without a sign of life since `moment`, in ascending order.
    func clients(silentSince moment: Int64) -> [Client] {
        Set(signs.lazy.filter { $0.value <= moment }.map(\.key.client)).sorted()
    }
}
