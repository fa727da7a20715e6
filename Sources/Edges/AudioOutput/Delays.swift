import Units

/// The delays, in nanoseconds, between an event and the frame at which it is heard. They are learned from the current server and sink.
struct Delays {
    /// The distances, in nanoseconds, from the frame that is heard according to the clock to the last frame that the sink has taken.
    private var blocks = Window()
    /// The times, in nanoseconds, for which the sink could still play the frames that it held, according to the server.
    private var reserves = Window()
    /// The times, in nanoseconds, from the writing of a change to its arrival at the server.
    private var flights = Window()
    /// The times, in nanoseconds, from an event to the writing of its change.
    private var travels = Window()
    /// The allowance for unforeseen delays. It grows at once when a change came too late, and shrinks slowly.
    private(set) var spare = Self.startingSpare

    static let startingSpare: Int64 = 450_000
    static let spares: ClosedRange<Int64> = 300_000...20_000_000
    /// The longest time from an event to the writing of its change that counts, in nanoseconds: a client whose events are older must not
    /// make all others wait.
    static let longestTravel: Int64 = 2_000_000
    static let longestFlight: Int64 = 20_000_000

    /// The largest number of nanoseconds that the sink takes at once.
    var block: Int64 { blocks.isEmpty ? 20_000_000 : blocks.largest }

    /// The shortest time for which the sink could still play, in the last readings: so much it has left when it takes more frames. Less
    /// than 2 ms counts as 0, because the sink may be a null sink, whose readings show whatever it happens to have left.
    var reserve: Int64 { reserves.isEmpty || reserves.smallest < 2_000_000 ? 0 : reserves.smallest }

    /// The time that a change needs to arrive at the server: the time in which nine tenths of changes arrive, and the `spare` for the
    /// others.
    var flight: Int64 { (flights.isEmpty ? 1_000_000 : flights.nearlyLargest) + spare }

    /// The time from the frame being heard to the first frame that can surely be changed, even if the sink is just about to take its next
    /// block.
    var heardToChangeable: Int64 { block + flight }

    /// The time from an event to the frame at which it is heard. It is enough for all but the slowest tenth of events.
    var eventToSound: Int64 { heardToChangeable + (travels.isEmpty ? 300_000 : travels.nearlyLargest) }

    mutating func observe(block: Int64) { blocks.add(max(0, block)) }

    mutating func observe(reserve: Int64) { reserves.add(max(0, reserve)) }

    mutating func observe(travel: Int64) { travels.add(min(max(0, travel), Self.longestTravel)) }

    /// Learns that a change arrived at the server `flight` nanoseconds after it was written. `slack` is the time, in nanoseconds, that was
    /// left until the sink would have taken the change's first frame; negative when the change was late.
    mutating func landed(flight: Int64, slack: Int64) {
        flights.add(min(max(0, flight), Self.longestFlight))
        if slack < 0 {
            spare = min(spare - slack + 250_000, Self.spares.upperBound)
        } else {
            spare -= (spare - Self.spares.lowerBound) / 32
        }
    }

    /// Discards what was learned about the sink (`blocks`, `reserves`), because the stream or its sink is another one now. What was learned
    /// about the server and about events (`flights`, `travels`) is kept.
    mutating func forgetSink() {
        blocks = Window()
        reserves = Window()
    }
}

/// The last 32 values, also sorted by size.
struct Window {
    private static let capacity = 32
    private var values = InlineArray<32, Int64>(repeating: 0)
    private var sorted = InlineArray<32, Int64>(repeating: 0)
    private var count = 0
    private var next = 0

    var isEmpty: Bool { count == 0 }
    var largest: Int64 { sorted[count - 1] }
    var smallest: Int64 { sorted[0] }
    /// The median: half of the values do not exceed it.
    var median: Int64 { sorted[(count - 1) / 2] }
    /// The ninth decile: nine tenths of the values do not exceed it.
    var nearlyLargest: Int64 { sorted[(count - 1) * 9 / 10] }

    mutating func add(_ value: Int64) {
        values[next] = value
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        for index in 0..<count {
            var target = index
            while target > 0, sorted[target - 1] > values[index] {
                sorted[target] = sorted[target - 1]
                target -= 1
            }
            sorted[target] = values[index]
        }
    }
}
