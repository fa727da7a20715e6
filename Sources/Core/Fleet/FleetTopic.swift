/// The name of a station in its fleet: 1 to 64 lower-case letters, digits and hyphens, so that it fits into a topic and into a certificate.
public struct StationName: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let text: String

    public static let expected = "1 to 64 small letters, digits and hyphens"

    /// Reads a name; nil for a text that is no station's name.
    public init?(_ text: some StringProtocol) {
        let isName = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    public static func < (a: StationName, b: StationName) -> Bool { a.text < b.text }
}

/// An MQTT topic that the fleet uses.
public enum FleetTopic: Hashable, Sendable {
    /// A station sends rows of its journals here (`RowBatch`).
    case rows(StationName)
    /// A hub says here which lines of a station's journals it has committed (`Committed`).
    case committed(StationName)
    /// A station says here whether it is connected (`StationState`, retained). The broker sends the station's will here, too.
    case state(StationName)
    /// A station says here how it and its `thrumd` are (`StationReport`, retained).
    case reported(StationName)
    /// A station sends what it has signed of its journals here (`SignedClosing`).
    case closed(StationName)
    /// A hub says here which closing of a station it has committed (`KeptClosing`).
    case kept(StationName)
    /// A hub says here that it has begun to take rows, so that stations send again at once.
    case hub

    private static let root = "thrum/v1/"

    /// The subscriptions to the rows, the states, the reports and the closings of all stations.
    public static let allRows = root + "+/rows"
    public static let allStates = root + "+/state"
    public static let allReports = root + "+/reported"
    public static let allClosings = root + "+/closed"

    public var text: String {
        switch self {
        case .rows(let station): "\(Self.root)\(station)/rows"
        case .committed(let station): "\(Self.root)\(station)/committed"
        case .state(let station): "\(Self.root)\(station)/state"
        case .reported(let station): "\(Self.root)\(station)/reported"
        case .closed(let station): "\(Self.root)\(station)/closed"
        case .kept(let station): "\(Self.root)\(station)/kept"
        case .hub: Self.root + "hub"
        }
    }

    /// Reads a topic's text; nil for a text that is no topic of the fleet.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.root) else { return nil }
        let levels = text.dropFirst(Self.root.count).split(separator: "/", omittingEmptySubsequences: false)
        guard levels != ["hub"] else {
            self = .hub
            return
        }
        guard levels.count == 2, let station = StationName(levels[0]) else { return nil }
        switch levels[1] {
        case "rows": self = .rows(station)
        case "committed": self = .committed(station)
        case "state": self = .state(station)
        case "reported": self = .reported(station)
        case "closed": self = .closed(station)
        case "kept": self = .kept(station)
        default: return nil
        }
    }
}
