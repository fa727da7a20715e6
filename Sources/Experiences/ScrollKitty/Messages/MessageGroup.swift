/// What a message is for. Ids of texts are the group's name, a hyphen and two digits.
enum MessageGroup: String, CaseIterable, Sendable {
    case band80 = "band-80", band60 = "band-60", band40 = "band-40", band20 = "band-20", band10 = "band-10", band0 = "band-0"
    /// The first event of a day.
    case welcome
    /// A day is over.
    case summary
    /// 0 HP.
    case terminal
    /// The evening of a day at 40 HP and more, or below.
    case nightlyGood = "nightly-good", nightlyMixed = "nightly-mixed"

    init?(_ band: Band) {
        guard band != .full else { return nil }
        self.init(rawValue: "band-\(band.rawValue)")
    }

    /// How many texts it has.
    var count: Int {
        switch self {
        case .terminal, .nightlyGood, .nightlyMixed: 40
        default: 20
        }
    }

    /// Whether its texts may have placeholders.
    var usesFacts: Bool { count == 40 }

    var ids: [String] { (1...count).map { rawValue + ($0 < 10 ? "-0" : "-") + "\($0)" } }
}
