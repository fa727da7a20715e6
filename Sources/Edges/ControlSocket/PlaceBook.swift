import Wire

/// Which places among the clients are taken, and who was turned away for want of one. A value without a lock.
struct PlaceBook {
    /// Of one client.
    struct Place: Sendable {
        /// The client's number, never given before.
        let client: Int
        fileprivate let places: Places
        fileprivate let isSpare: Bool
    }

    /// So many more of each kind may look on and stop on the control socket. With one more, the oldest of that kind makes room: who comes
    /// to stop the sound is never turned away, and who may only watch sends no operator away.
    static let spare = 8

    /// At once, beside those with spare places.
    let limit: Int
    private var last = 0
    private var counts: [Places: Int] = [:]
    /// By kind, in the order in which they came.
    private var spares: [Places: [(client: Int, giveWay: @Sendable () -> Void)]] = [:]
    /// Clients that were turned away for want of a place since the start; those count that got a spare one.
    private(set) var turnedAway: UInt64 = 0
    /// Kinds of which somebody was turned away and that have had no free place since.
    private var isFull: Set<Places> = []

    init(limit: Int) { self.limit = limit }

    /// How many may be there at once who are of any of these kinds. What is kept for one is out of reach of all others, but where there are
    /// too few places to keep one for each.
    ///
    /// Of 256 a sixteenth is kept for users of the control socket and three sixteenths more for operators. Of the 192 that are left, 16 are
    /// kept for pages on this machine, which have half at most; watchers on the control socket have 16 at most.
    private var rooms: [(kinds: [Places], room: Int)] {
        let sixteenth = max(1, limit / 16)
        let remote = max(1, limit - sixteenth)
        let onlookers = max(1, remote - max(1, limit * 3 / 16))
        return [
            ([.watchers], sixteenth),
            ([.pages], max(1, onlookers / 2)),
            ([.guests, .watchers], max(1, onlookers - sixteenth)),
            ([.guests, .watchers, .pages], onlookers),
            ([.guests, .watchers, .pages, .operators], remote),
            (Places.allCases, limit),
        ]
    }

    private func room(of places: Places) -> Int { rooms.filter { $0.kinds.contains(places) }.map(\.room).min() ?? limit }

    private func hasRoom(for places: Places) -> Bool {
        rooms.allSatisfy { kinds, room in !kinds.contains(places) || kinds.reduce(0) { $0 + counts[$1, default: 0] } < room }
    }

    /// Nil when there is no place left of those that are open to it.
    mutating func admit(_ places: Places) -> Place? {
        guard hasRoom(for: places) else {
            turnedAway += 1
            isFull.insert(places)
            return nil
        }
        counts[places, default: 0] += 1
        return Place(client: next(), places: places, isSpare: false)
    }

    /// One of the places beside the others, for `places` of the control socket. Returns what is to be called, without a lock, to close the
    /// connection that makes room for it; nil where none has to.
    mutating func admitSpare(_ places: Places, giveWay: @escaping @Sendable () -> Void) -> (Place, oldest: (@Sendable () -> Void)?) {
        var waiting = spares[places, default: []]
        let oldest = waiting.count < Self.spare ? nil : waiting.removeFirst().giveWay
        let place = Place(client: next(), places: places, isSpare: true)
        waiting.append((place.client, giveWay))
        spares[places] = waiting
        return (place, oldest)
    }

    mutating func leave(_ place: Place) {
        guard !place.isSpare else {
            spares[place.places]?.removeAll { $0.client == place.client }
            return
        }
        counts[place.places, default: 0] -= 1
        // A place that was shared is free for others, too, and one that was kept is not.
        isFull = isFull.filter { !hasRoom(for: $0) }
    }

    private mutating func next() -> Int {
        last += 1
        return last
    }

    /// Why there is no place.
    func refusal(of places: Places) -> String {
        switch places {
        case .guests: "\(room(of: .guests)) visitors and watchers are connected already, and the other places are kept"
        case .pages: "\(room(of: .pages)) pages of this machine are connected already, and the other places are kept"
        case .watchers: "\(room(of: .watchers)) watchers are connected already on the control socket, and the other places are kept"
        case .operators, .controlSocket: "\(limit) clients are connected already"
        }
    }

    /// In words, from when somebody was turned away until a place is free again; nil when nobody was.
    var issue: String? {
        let full = Places.allCases.filter(isFull.contains).map(\.words)
        guard !full.isEmpty else { return nil }
        return "clients are turned away, because all places are taken that are open to \(full.joined(separator: ", ")): max-clients is "
            + "\(limit), and `thrum send client.list` says who is there"
    }
}

extension Places {
    fileprivate var words: String {
        switch self {
        case .guests: "visitors and watchers"
        case .pages: "pages of this machine"
        case .watchers: "watchers on the control socket"
        case .operators: "operators"
        case .controlSocket: "users of the control socket"
        }
    }
}
