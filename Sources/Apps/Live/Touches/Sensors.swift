/// Knows which sensors say that somebody stands before the exhibit. A plain value: the caller passes the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct Sensors {
    enum Sensor: Hashable {
        /// The switch that the rule of that name reads.
        case device(rule: String)
        /// A sensor that a front end reads.
        case reported(name: String)
    }

    /// The largest number of sensors that may say so at once.
    static let most = 16

    /// Until when each sensor's word counts; nil for as long as it says nothing else.
    private var words: [Sensor: Int64?] = [:]

    /// Whether any sensor says that somebody is there.
    var isSomebodyThere: Bool { !words.isEmpty }

    /// Takes a sensor's word that somebody is there, which counts until `end`; nil for as long as it says nothing else. Returns false where
    /// too many sensors say so.
    mutating func sees(_ sensor: Sensor, until end: Int64?) -> Bool {
        guard words[sensor] != nil || words.count < Self.most else { return false }
        words[sensor] = .some(end)
        return true
    }

    /// Takes a sensor's word that nobody is there.
    mutating func seesNobody(_ sensor: Sensor) { words[sensor] = nil }

    /// Forgets the words that count no longer.
    mutating func advance(to now: Int64) { words = words.filter { $0.value.map { $0 > now } ?? true } }
}
