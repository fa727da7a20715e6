/// Knows which sensors say that somebody stands before the exhibit. A plain value: the caller passes the time (CLOCK_MONOTONIC,
/// nanoseconds). Thread: the event loop.
struct Sensors {
    enum Sensor: Hashable {
        /// The switch of a device, by the device's number, that the rule of that name reads.
        case device(Int, rule: String)
        /// A sensor that a front end reads: a visitor's connection, or operators (nil), whose words outlast their connections.
        case reported(name: String, by: Int?)
    }

    /// The largest number of sensors that may say so at once by one connection; and by operators, all together. Devices are not counted.
    static let most = 16

    /// Until when each sensor's word counts; nil for as long as it says nothing else.
    private var words: [Sensor: Int64?] = [:]

    /// Whether any sensor says that somebody is there.
    var isSomebodyThere: Bool { !words.isEmpty }

    /// Takes a sensor's word that somebody is there, which counts until `end`; nil for as long as it says nothing else. Returns false where
    /// too many sensors of the same front end say so.
    mutating func sees(_ sensor: Sensor, until end: Int64?) -> Bool {
        if case .reported(_, let owner) = sensor, words[sensor] == nil {
            guard words.keys.count(where: { $0.isReported(by: owner) }) < Self.most else { return false }
        }
        words[sensor] = .some(end)
        return true
    }

    /// Takes a sensor's word that nobody is there.
    mutating func seesNobody(_ sensor: Sensor) { words[sensor] = nil }

    /// Forgets the words of a connection that has ended.
    mutating func forget(_ client: Int) { words = words.filter { !$0.key.isReported(by: client) } }

    /// Forgets the words that count no longer.
    mutating func advance(to now: Int64) { words = words.filter { $0.value.map { $0 > now } ?? true } }
}

extension Sensors.Sensor {
    /// Whether a front end reads the sensor: the connection `owner`, or operators for nil.
    fileprivate func isReported(by owner: Int?) -> Bool { if case .reported(_, let by) = self { by == owner } else { false } }
}
