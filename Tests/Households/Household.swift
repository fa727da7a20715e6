import Fields
import HouseholdRun
import ScrollKitty
import TestSupport

/// A household of a kind that its number draws: way of counting, apps, zone, window, goal, how often it looks, length of the day. It lives
/// with the piece and with the model, and both are compared.
public struct Household {
    /// What was gone through.
    public struct Tally: Sendable {
        public var households = 0
        public var days = 0
        public var attempts = 0
        public var bypasses = 0
        public var restarts = 0
        /// Ids of the texts that were told.
        public var messages: Set<String> = []

        public init() {}

        public static func += (a: inout Tally, b: Tally) {
            a.households += b.households
            a.days += b.days
            a.attempts += b.attempts
            a.bypasses += b.bypasses
            a.restarts += b.restarts
            a.messages.formUnion(b.messages)
        }
    }

    /// The piece does not do what the rules say.
    public struct Difference: Error, CustomStringConvertible {
        public var description: String
    }

    private let number: UInt64
    private var random: SplitMix64
    private var run: HouseholdRun
    private var model: HouseholdModel
    private var listener: MessageListener
    private let apps: [String]
    private let goal: Int?
    /// Looks at the phone are this far apart at most, in seconds.
    private let longestPause: Int
    private let end: Int
    /// Days that were compared.
    private var compared = 0
    private var bands: [Int] = []
    /// The evening's messages of the day that is lived: whether it was a good one.
    private var evenings: [Bool] = []
    private var tally = Tally()

    /// Goes through `days` days around a change of the clocks. Throws `Difference` at the first.
    public static func live(_ number: UInt64, days: Int, longestPause: Int? = nil, texts: MessageTexts) throws -> Tally {
        var household = try Household(number, days: days, longestPause: longestPause, texts)
        while household.model.now < household.end { try household.look() }
        return household.tally
    }

    private init(_ number: UInt64, days: Int, longestPause: Int?, _ texts: MessageTexts) throws {
        self.number = number
        var random = SplitMix64(seed: number)
        func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        // One in nine has a day of 10 minutes, whose clock has no zone.
        let isFast = number % 9 == 8
        let isBerlin = number % 2 == 0
        let isPerApp = number / 2 % 2 == 0
        // Clocks go forward on 29 March in Berlin and on 8 March in New York, and back on 25 October and 1 November.
        let changes = number / 4 % 2 == 0 ? [1_774_746_000, 1_772_953_200] : [1_792_890_000, 1_793_512_800]
        let start = changes[isBerlin ? 0 : 1] - (1 + below(max(1, min(days, 60) - 2))) * 86_400 + below(86_400)
        let count = isPerApp ? 1 + below(10) : 1 + below(4)
        let cooldown = [10, 20, 30, 45, 60][below(5)]
        let zone = isBerlin ? Zone.berlin : .newYork
        apps = (0..<count).map { "App \($0)" }
        goal = below(3) > 0 ? 180 + 30 * below(11) : nil
        end = start + days * 86_400
        run = HouseholdRun(ScrollKitty.self, at: start, zone: zone, dayMinutes: isFast ? 10 : 1_440, ["health-per-app": .flag(isPerApp)],
                           seed: number)
        try run.act("kitty.apps", ["apps": .list(apps.map { .text($0) })])
        try run.act("kitty.cooldown", ["minutes": .integer(Int64(cooldown))])
        if let goal { try run.act("kitty.goal", ["hours": .number(Double(goal) / 60)]) }
        var hours: [(Int, Int)?] = Array(repeating: (0, 1_440), count: 7)
        for (index, name) in ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].enumerated() where below(3) == 0 {
            if below(4) == 0 {
                hours[index] = nil
                try run.act("kitty.window", ["days": .text(name)])
            } else {
                let (from, to) = (below(24), below(24))
                hours[index] = (from * 60, to * 60)
                try run.act("kitty.window", ["days": .text(name), "start": .text(face(from * 60)), "until": .text(face(to * 60))])
            }
        }
        model = HouseholdModel(at: start, zone: isFast ? .utc : zone, isPerApp: isPerApp, apps: count, cooldown: cooldown, window: hours)
        self.longestPause = longestPause ?? [900, 3_600, 10_800][below(3)]
        self.random = random
        listener = MessageListener(texts)
        tally.households = 1
        try hear()
    }

    private mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private func expect(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
        guard !isRight else { return }
        throw Difference(description: "household \(number), at \(model.now): \(what())")
    }

    /// Some time goes by, or the machine is off; then somebody opens an app.
    private mutating func look() throws {
        let pause = 1 + below(longestPause)
        let isOff = below(400) == 0
        if isOff {
            run.restart(after: pause)
            tally.restarts += 1
        } else {
            if below(3) == 0 {
                run.endVisit()
                model.leaveAlone()
            }
            run.wait(pause)
        }
        model.live(until: model.now + pause, isOff: isOff)
        try hear()
        let app = below(apps.count)
        let shield = model.shield(of: app).rawValue
        let expected = model.bypass(app)
        tally.attempts += 1
        switch (expected, try? run.act("kitty.bypass", ["app": .text(apps[app])])) {
        case (.refused, nil): break
        case (.refused, _?), (_, nil): try expect(false, "\(apps[app]) is \(shield)")
        case (.free, _?): try expect(run.ledger.isEmpty, "\(apps[app]) is \(shield)")
        case (.lost(let units), _?):
            // 1 HP is 2,520 parts in the ledger.
            let amounts = units > 0 ? [units * 2_520 / model.shares] : []
            try expect(run.ledger.map { $0.transfers.map(\.amount) } == [amounts], "\(units)/\(model.shares) HP are lost")
            tally.bypasses += 1
        }
        try hear()
        // Whatever was refused has changed nothing, so it is looked at now and then.
        if expected != .refused || below(8) == 0 { try compareState() }
    }

    private func compareState() throws {
        guard let state = run.answer("kitty.state", as: CatState.self) else { return try expect(false, "it answers") }
        try expect(state.hp == points(model.total), "\(model.total)/\(model.shares) HP, not \(state.hp)")
        let dead = model.total == 0
        try expect((state.condition == .dead) == dead && (state.percent == 0) == dead, "dead: \(dead)")
        for index in apps.indices {
            let shown = state.apps[index]
            let shield = model.shield(of: index).rawValue
            try expect(shown.shield.rawValue == shield, "\(shown.name) is \(shield), not \(shown.shield)")
            let own = model.health[model.isPerApp ? index : 0]
            try expect(shown.hp == points(own), "\(shown.name) has \(own)/\(model.shares) HP, not \(shown.hp)")
        }
    }

    /// Compares all that was told and kept.
    private mutating func hear() throws {
        let (told, ledger) = run.takeResults()
        for announcement in told {
            switch announcement.body {
            case let lost as Lost: bands += lost.bands
            case let summary as DaySummary: try compare(summary)
            case let message as KittySays:
                if let fault = listener.hear(message) { try expect(false, fault) }
                if message.group.hasPrefix("nightly") { evenings.append(message.group == "nightly-good") }
                tally.messages.insert(message.id)
            case is DayBegan: listener.beginDay()
            default: break
            }
        }
        let days = ledger.filter { $0.kind == "day" }
        let ended = model.days[(compared - days.count)..<compared]
        let healths = days.map { entry -> Int64? in
            if case .object(let note)? = entry.note, case .integer(let health)? = note["health"] { health } else { nil }
        }
        try expect(healths == ended.map { Int64($0.health * 2_520 / model.shares) }, "the ledger has \(days)")
        try expect(compared == model.days.count, "\(model.days.count) summaries, not \(compared)")
        try expect(evenings == [model.evening].compactMap(\.self), "in the evening \(String(describing: model.evening)), not \(evenings)")
    }

    private mutating func compare(_ summary: DaySummary) throws {
        try expect(compared < model.days.count, "no summary")
        let (day, figures) = (model.days[compared], summary.figures)
        let minutes = (Double(day.use) / 6).rounded() / 10
        try expect(figures.day == day.day && figures.hp == points(day.health) && figures.bypasses == day.bypasses, "\(day), not \(figures)")
        try expect(figures.useMinutes == minutes && summary.streak == day.streak, "\(day), not \(figures), streak \(summary.streak)")
        let times = [day.firstUse, day.lastUse, day.terminalAt].map { $0.map(face) }
        try expect([figures.firstUse, figures.lastUse, figures.terminalAt] == times, "\(day), not \(figures)")
        let over = goal.map { (Double(day.use - $0 * 60) / 6).rounded() / 10 }
        try expect(figures.goalMinutes == goal && figures.overMinutes == over, "\(over ?? 0) minutes over \(goal ?? 0), not \(figures)")
        try expect(bands == day.bands, "bands \(day.bands), not \(bands)")
        try expect(evenings == [day.evening].compactMap(\.self), "in the evening \(String(describing: day.evening)), not \(evenings)")
        (bands, evenings) = ([], [])
        compared += 1
        tally.days += 1
    }

    /// To a hundredth.
    private func points(_ units: Int) -> Double { (Double(units) * 100 / Double(model.shares)).rounded() / 100 }
}

/// `HH:MM` of a minute of the day.
private func face(_ minute: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return two(minute / 60) + ":" + two(minute % 60)
}
