import Calendar

/// A text in one language, split into words and placeholders.
struct MessageText: Equatable, Sendable {
    enum Part: Equatable, Sendable {
        case words(String)
        /// A placeholder's name.
        case value(String)
    }

    let text: String
    let parts: [Part]
    let placeholders: Set<String>

    /// Splits a text. `{{name}}` is a placeholder; other braces count as words.
    init(_ text: String) {
        self.text = text
        var parts: [Part] = []
        var rest = Substring(text)
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            if open.lowerBound > rest.startIndex { parts.append(.words(String(rest[..<open.lowerBound]))) }
            parts.append(.value(String(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        self.parts = parts
        placeholders = Set(parts.compactMap { if case .value(let name) = $0 { name } else { nil } })
    }

    /// Returns the text with its placeholders replaced by `values`; nil when a value is missing.
    func filled(_ values: [String: String]) -> String? {
        var text = ""
        for part in parts {
            switch part {
            case .words(let words): text += words
            case .value(let name):
                guard let value = values[name] else { return nil }
                text += value
            }
        }
        return text
    }

    /// The words of the text in lower case, without digits. Placeholders are left out.
    var words: [String] {
        parts.flatMap { part -> [String] in
            guard case .words(let text) = part else { return [] }
            return text.lowercased().map { $0 == "\u{2019}" ? "'" : $0 }
                .split { !$0.isLetter && $0 != "'" }.map { String($0) }
        }
    }

    var skeleton: String { words.joined(separator: " ") }
}

extension Substring {
    /// Returns the first occurrence of `text`; nil where `text` does not occur. It tries each position, so `text` should be short.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}

/// The occasion of a message. The id of a text is the name of its group, a hyphen and two digits.
enum MessageGroup: String, CaseIterable, Sendable {
    case band80 = "band-80", band60 = "band-60", band40 = "band-40", band20 = "band-20", band10 = "band-10", band0 = "band-0"
    /// The first event of a day.
    case welcome
    /// The message at the end of a day, which sums it up.
    case summary
    /// The message of the moment when health reaches 0 HP.
    case terminal
    /// The evening of a day with 40 HP or more, and of one with less.
    case nightlyGood = "nightly-good", nightlyMixed = "nightly-mixed"

    init?(_ band: Band) {
        guard band != .full else { return nil }
        self.init(rawValue: "band-\(band.rawValue)")
    }

    /// The number of texts in the group.
    var count: Int {
        switch self {
        case .terminal, .nightlyGood, .nightlyMixed: 40
        default: 20
        }
    }

    /// Whether the group's texts may have placeholders, which facts of the day fill (`MessageFacts`).
    var usesFacts: Bool { count == 40 }

    var ids: [String] { (1...count).map { rawValue + ($0 < 10 ? "-0" : "-") + "\($0)" } }
}

/// The facts of a day by which placeholders in messages are replaced, by the placeholder's name, for each language. A value that is not
/// known is left out.
struct MessageFacts: Equatable, Sendable {
    var en: [String: String] = [:]
    var de: [String: String] = [:]

    /// In a walk-up the health is told as it is shown, because a visitor sees both at once; else it is told by its band.
    init(_ cat: Cat, at now: Moment, isWalkUp: Bool = false) {
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
        let health = isWalkUp ? Int(Health.points(cat.health.total).rounded(.up)) : Band(cat.health.total).rawValue
        put("currentHealthBand", "\(health)", "\(health)")
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
    /// The part of the day in which a message is said. The parts begin at 5, 12, 17 and 22 o'clock.
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
