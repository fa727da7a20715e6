import Units

/// How far ahead of the frame being heard a change must be written to be sure to be heard, learned from the server and
/// sink at hand. In nanoseconds.
struct Margin {
    /// How far the sink has taken frames ahead of what the clock says is heard.
    private var blocks = Window()
    /// For how long the sink had frames yet, as the server told.
    private var reserves = Window()
    /// From writing a change to its arrival at the server.
    private var flights = Window()
    /// From an event to its change being written.
    private var travels = Window()
    /// For what is not foreseen; widened at once when a change came late, narrowed slowly.
    private(set) var spare = Self.startingSpare

    static let startingSpare: Int64 = 450_000
    static let spares: ClosedRange<Int64> = 300_000...20_000_000
    /// A client that stamps its events later than this after they happened does not make all others wait.
    static let longestTravel: Int64 = 2_000_000
    static let longestFlight: Int64 = 20_000_000

    /// The most the sink takes at once.
    var block: Int64 { blocks.isEmpty ? 20_000_000 : blocks.largest }

    /// What the sink keeps in hand before it takes more: the least it was seen to have, but below 2 ms nothing, since then it
    /// may be a null sink's, which is seen by chance at whatever it has left.
    var reserve: Int64 { reserves.isEmpty || reserves.smallest < 2_000_000 ? 0 : reserves.smallest }

    /// What a change takes to arrive: nine tenths take no longer than the first part, and the spare is for the others.
    var flight: Int64 { (flights.isEmpty ? 1_000_000 : flights.nearlyLargest) + spare }

    /// From the frame being heard to the first that can be changed for certain, wherever in its block the sink is.
    var reach: Int64 { block + flight }

    /// From an event to its frame. All but the slowest tenth of events are written in time for it.
    var lead: Int64 { reach + (travels.isEmpty ? 300_000 : travels.nearlyLargest) }

    mutating func observe(block: Int64) { blocks.add(max(0, block)) }

    mutating func observe(reserve: Int64) { reserves.add(max(0, reserve)) }

    mutating func observe(travel: Int64) { travels.add(min(max(0, travel), Self.longestTravel)) }

    /// A change has arrived after `flight`, with `slack` left until its first frame would have been taken; late when that
    /// is negative.
    mutating func landed(flight: Int64, slack: Int64) {
        flights.add(min(max(0, flight), Self.longestFlight))
        if slack < 0 {
            spare = min(spare - slack + 250_000, Self.spares.upperBound)
        } else {
            spare -= (spare - Self.spares.lowerBound) / 32
        }
    }

    /// A sink of which nothing is known yet; what was learned about the way there stays.
    mutating func forgetSink() {
        blocks = Window()
        reserves = Window()
    }
}

/// The last 32 of something.
struct Window {
    private static let capacity = 32
    private var values = InlineArray<32, Int64>(repeating: 0)
    private var sorted = InlineArray<32, Int64>(repeating: 0)
    private var count = 0
    private var next = 0

    var isEmpty: Bool { count == 0 }
    var largest: Int64 { sorted[count - 1] }
    var smallest: Int64 { sorted[0] }
    /// Half are no larger.
    var median: Int64 { sorted[(count - 1) / 2] }
    /// Nine tenths are no larger.
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
