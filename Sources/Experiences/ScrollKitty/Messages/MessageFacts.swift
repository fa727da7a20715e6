import Calendar

/// What is known for a message, in each language's words. What is not known is not there.
struct MessageFacts: Equatable, Sendable {
    var en: [String: String] = [:]
    var de: [String: String] = [:]

    init(_ cat: Cat, at now: Moment) {
        func put(_ name: String, _ english: String, _ german: String) { (en[name], de[name]) = (english, german) }
        func putTime(_ name: String, _ second: Int?) {
            if let second { put(name, Self.twelveHours(second), "\(second / 3_600):\(Self.twoDigits(second / 60 % 60)) Uhr") }
        }
        func putHours(_ name: String, _ seconds: Int) {
            let tenths = Self.tenths(seconds)
            guard tenths > 0 else { return }
            put(name, "\(tenths / 10).\(tenths % 10)", "\(tenths / 10),\(tenths % 10)")
        }
        let today = cat.today
        putTime("firstUseTime", today.firstUse)
        if today.lastUse.map({ $0 / 60 }) != today.firstUse.map({ $0 / 60 }) { putTime("lastUseTime", today.lastUse) }
        putTime("terminalAtLocalTime", today.terminalAt)
        let use = cat.use(at: now)
        putHours("phoneUseHours", use)
        if let goal = cat.goal {
            let half = goal % 60 == 0 ? ("", "") : (".5", ",5")
            put("goalHours", "\(goal / 60)" + half.0, "\(goal / 60)" + half.1)
            putHours("overByHours", use - goal * 60)
            putHours("underByHours", goal * 60 - use)
        }
        let band = Band(cat.health.total).rawValue
        put("currentHealthBand", "\(band)", "\(band)")
        let part = DayPart(now.secondOfDay)
        put("dayPart", part.rawValue, part.german)
    }

    private static func tenths(_ seconds: Int) -> Int { (seconds + 180) / 360 }
    private static func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

    private static func twelveHours(_ second: Int) -> String {
        let hour = second / 3_600
        return "\((hour + 11) % 12 + 1):\(twoDigits(second / 60 % 60)) \(hour < 12 ? "AM" : "PM")"
    }
}

enum DayPart: String, Sendable {
    /// The parts of the day begin at 5, 12, 17 and 22 o'clock.
    case morning, afternoon, evening, night

    init(_ secondOfDay: Int) {
        switch secondOfDay / 3_600 {
        case 5..<12: self = .morning
        case 12..<17: self = .afternoon
        case 17..<22: self = .evening
        default: self = .night
        }
    }

    var german: String {
        switch self {
        case .morning: "Morgen"
        case .afternoon: "Nachmittag"
        case .evening: "Abend"
        case .night: "Nacht"
        }
    }
}
