import Units

/// The lead, in nanoseconds, that a change needs ahead of the frame being heard to be sure to be heard, learned from the server and sink at
/// hand.
struct Margin {
    /// The lengths by which the sink has taken frames ahead of what the clock says is heard.
    private var blocks = Window()
    /// The times for which the sink still had frames, as the server said.
    private var reserves = Window()
    /// The times from writing a change to its arrival at the server.
    private var flights = Window()
    /// The times from an event to its change being written.
    private var travels = Window()
    /// The allowance for what is not foreseen; widened at once when a change came late, narrowed slowly.
    private(set) var spare = Self.startingSpare

    static let startingSpare: Int64 = 450_000
    static let spares: ClosedRange<Int64> = 300_000...20_000_000
    /// The longest travel that counts: a client whose events are older does not make all others wait.
    static let longestTravel: Int64 = 2_000_000
    static let longestFlight: Int64 = 20_000_000

    /// The longest block that the sink takes at once.
    var block: Int64 { blocks.isEmpty ? 20_000_000 : blocks.largest }

    /// The time for which the sink keeps frames before it takes more: the least that was seen. Below 2 ms it counts as nothing: it may be a
    /// null sink's, which is seen by chance at whatever it has left.
    var reserve: Int64 { reserves.isEmpty || reserves.smallest < 2_000_000 ? 0 : reserves.smallest }

    /// The time that a change takes to arrive: nine tenths take no longer than the first part, and the spare is for the others.
    var flight: Int64 { (flights.isEmpty ? 1_000_000 : flights.nearlyLargest) + spare }

    /// The time from the frame being heard to the first that can certainly be changed, wherever in its block the sink is.
    var reach: Int64 { block + flight }

    /// The time from an event to its frame. All but the slowest tenth of events are written in time for it.
    var lead: Int64 { reach + (travels.isEmpty ? 300_000 : travels.nearlyLargest) }

    mutating func observe(block: Int64) { blocks.add(max(0, block)) }

    mutating func observe(reserve: Int64) { reserves.add(max(0, reserve)) }

    mutating func observe(travel: Int64) { travels.add(min(max(0, travel), Self.longestTravel)) }

    /// Learns that a change arrived after `flight`, with `slack` left until its first frame would have been taken; negative when it was
    /// late.
    mutating func landed(flight: Int64, slack: Int64) {
        flights.add(min(max(0, flight), Self.longestFlight))
        if slack < 0 {
            spare = min(spare - slack + 250_000, Self.spares.upperBound)
        } else {
            spare -= (spare - Self.spares.lowerBound) / 32
        }
    }

    /// Forgets the sink's blocks and reserves; flights and travels stay.
    mutating func forgetSink() {
        blocks = Window()
        reserves = Window()
    }
}

/// The last 32 values, in order of size too.
struct Window {
    private static let capacity = 32
    private var values = InlineArray<32, Int64>(repeating: 0)
    private var sorted = InlineArray<32, Int64>(repeating: 0)
    private var count = 0
    private var next = 0

    var isEmpty: Bool { count == 0 }
    var largest: Int64 { sorted[count - 1] }
    var smallest: Int64 { sorted[0] }
    /// The value that half of all do not exceed.
    var median: Int64 { sorted[(count - 1) / 2] }
    /// The value that nine tenths of all do not exceed.
    var nearlyLargest: Int64 { sorted[(count - 1) * 9 / 10] }

    mutating func add(_ value: Int64) {
        values[next] = value
        next = (next + 1) % Self.capacity
        count = min(count + 1, Self.capacity)
        for index in 0..<count {
            var place = index
            while place > 0, sorted[place - 1] > values[index] {
                sorted[place] = sorted[place - 1]
                place -= 1
            }
            sorted[place] = values[index]
        }
    }
}
