import Calendar
import Experience
import Signals

/// All that a front end shows of the cat and its apps.
public struct CatState: AnnouncementBody {
    public struct App: Encodable, Equatable, Sendable {
        public var name: String
        public var shield: Shield
        /// Whether the app can be opened in spite of its shield, at a price.
        public var canBypass: Bool
        /// The HP that a bypass would cost, rounded up.
        public var cost: Int
        /// The health that is left, in HP, in the pool or in the app's own share; `of` is its full size.
        public var hp: Double
        public var of: Double
        /// The real seconds until the shield returns; nil where the app is not open.
        public var opensFor: Double?
        public var bypasses: Int
        /// The use today, in minutes.
        public var useMinutes: Double
        /// The app and its health as text, for instance "Chat 15/25, total 70".
        public var text: Words
    }

    /// The hours of one day of the week in which shields act, as `HH:MM`; nil where they do not act. An end that is not after the start
    /// lies on the next day.
    public struct WindowDay: Encodable, Equatable, Sendable {
        public var day: String
        public var start: String?
        public var until: String?
    }

    public var topic: String { "cat" }
    public var household: String
    /// Whether the cat is the visitor's own, in a walk-up; nil outside of a walk-up.
    public var isOwn: Bool?
    public var day: Int
    public var date: String?
    /// The time of day by the piece's clock, as `HH:MM`.
    public var time: String
    /// The real seconds until the day is over, if nobody sets the clock before.
    public var dayEndsIn: Double
    public var hp: Double
    /// The health in whole HP, rounded up, so that 0 means dead.
    public var percent: Int
    public var condition: Condition
    public var bar: String
    public var tone: String
    public var band: Int
    public var counting: Counting
    /// The way of counting from midnight on; nil where it stays the same.
    public var nextCounting: Counting?
    public var nextApps: [String]?
    public var apps: [App]
    /// Whether the focus window is open, so that shields act.
    public var shieldsAct: Bool
    /// The real seconds until the window opens or closes; nil where it never does.
    public var shieldsTurnIn: Double?
    /// The hours of the focus window for each day of the week, Monday first.
    public var window: [WindowDay]
    public var cooldownMinutes: Int
    public var goalMinutes: Int?
    /// The use of all apps today, in minutes.
    public var useMinutes: Double
    public var bypasses: Int
    public var firstUse: String?
    public var lastUse: String?
    public var terminalAt: String?
    /// The health after each loss of today.
    public var points: [DayFigures.Point]
    public var streak: Int
}

extension ScrollKitty {
    func state(at now: Moment) -> CatState { CatState(cat, time, at: now, isOwn: isOwn) }
}

extension CatState {
    init(_ cat: Cat, _ time: PieceTime, at now: Moment, isOwn: Bool? = nil) {
        let health = cat.health
        func minutes(_ seconds: Int) -> Double { (Double(seconds) / 6).rounded() / 10 }
        let total = Health.points(health.total)
        let apps = cat.plan.apps.enumerated().map { index, name in
            let shield = cat.shield(of: index, at: now)
            let (hp, most) = (Health.points(health.left(ofApp: index)), Health.points(health.mostOfApp))
            let own = "\(name) \(figure(hp))/\(figure(most))"
            return CatState.App(
                name: name, shield: shield, canBypass: shield == .shielded,
                cost: min(cat.plan.counting.cost, Int(hp.rounded(.up))), hp: hp, of: most,
                opensFor: cat.opensUntil(index).map { time.realSeconds(max(0, $0 - now.seconds)) }, bypasses: cat.today.bypasses[index],
                useMinutes: minutes(cat.use(of: index, at: now)),
                text: cat.plan.counting == .perApp ? Words(en: "\(own), total \(figure(total))", de: "\(own), zusammen \(figure(total))")
                    : Words(en: "\(figure(total)) of 100", de: "\(figure(total)) von 100"))
        }
        let condition = Condition(health.total)
        self.init(
            household: cat.household, isOwn: isOwn, day: cat.day, date: time.date(of: cat.day), time: clockFace(now.secondOfDay),
            dayEndsIn: time.realSeconds(Moment.day - now.secondOfDay), hp: total, percent: Int(total.rounded(.up)),
            condition: condition, bar: condition.bar, tone: condition.tone, band: Band(health.total).rawValue,
            counting: cat.plan.counting, nextCounting: cat.nextPlan?.counting, nextApps: cat.nextPlan?.apps, apps: apps,
            shieldsAct: cat.window.acts(on: now.dayNumber, at: now.secondOfDay),
            shieldsTurnIn: cat.window.turn(after: now.secondOfDay, on: now.dayNumber).map { time.realSeconds($0) },
            window: cat.window.weekdays, cooldownMinutes: cat.cooldown, goalMinutes: cat.goal,
            useMinutes: minutes(cat.use(at: now)), bypasses: cat.today.bypasses.reduce(0, +),
            firstUse: cat.today.firstUse.map(clockFace), lastUse: cat.today.lastUse.map(clockFace),
            terminalAt: cat.today.terminalAt.map(clockFace),
            points: cat.today.points.map { DayFigures.Point(second: $0.second, parts: $0.parts) },
            streak: cat.streaks.current)
    }
}

extension FocusWindow {
    fileprivate var weekdays: [CatState.WindowDay] {
        zip(Weekdays.names, days).map { name, hours in
            CatState.WindowDay(day: name, start: hours.map { clockFace($0.from * 60) }, until: hours.map { clockFace($0.to * 60) })
        }
    }
}
