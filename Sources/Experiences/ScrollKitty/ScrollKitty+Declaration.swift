import Calendar
import Experience
import Fields
import Signals

extension ScrollKitty {
    public static let declaration: Declaration = {
        guard let midnight = LocalTime("00:00") else { preconditionFailure("it is a time") }
        return Declaration(
            name: "scrollkitty", rulesVersion: 3, about: "a cat whose health is your day",
            actions: [
                ActionDeclaration("kitty.bypass", about: "A shielded app is opened anyway.") {
                    KittyMove.bypass(app: try KittyMove.readApp($0))
                },
                ActionDeclaration("kitty.shield", about: "An app is closed before its time; without a name all are.") { fields in
                    let about = "its name, as kitty.apps has it; all without it"
                    return KittyMove.shield(app: fields.contains("app") ? try KittyMove.readApp(fields)
                        : try fields.textIfPresent("app", limit: 40, about: about))
                },
                ActionDeclaration("kitty.apps", about: "Which apps have a shield: from midnight on, where something was opened today.") {
                    try KittyMove.readApps($0)
                },
                ActionDeclaration("kitty.cooldown", about: "How long an app stays open after a bypass.") {
                    KittyMove.cooldown(try $0.integer("minutes", in: Counting.cooldowns, unit: "minutes",
                                                      about: "10, 20, 30, 45 or 60 where health is one pool"))
                },
                ActionDeclaration("kitty.goal", about: "How much use a day is enough.") { try KittyMove.readGoal($0) },
                ActionDeclaration("kitty.window", about: "The hours in which shields act, on some days of the week.",
                                  formerNames: [KittyMove.formerStart]) {
                    try KittyMove.readWindow($0)
                },
                ActionDeclaration("kitty.onboard", about: "A step of the onboarding is answered.") { try KittyMove.readOnboarding($0) },
                ActionDeclaration("household.enter", about: "A visitor says whose cat it is.", entersHousehold: true) {
                    try KittyMove.readEnter($0)
                },
            ],
            queries: [
                QueryDeclaration("kitty.state", about: "The cat and its apps.", result: "state",
                                 examples: [Example.state], inConfidence: ["household": .name]) { _ in Query(.state) },
                QueryDeclaration("kitty.week", about: "The last seven days.", result: "week",
                                 examples: [Example.week]) { _ in Query(.week) },
                QueryDeclaration("kitty.history", about: "The last \(Cat.longestHistory) days.", result: "history",
                                 examples: [History(Example.cat, Example.time)]) { _ in Query(.history) },
                QueryDeclaration("kitty.onboarding", about: "The steps of the onboarding, and what is done.", result: "onboarding",
                                 examples: [Example.steps]) { fields in
                    let length: OnboardingLength? = try fields.choiceIfPresent(
                        "length", about: "full by default; short is the authors' nine steps, and quick has three questions")
                    return Query(.onboarding(length ?? .full))
                },
            ],
            topics: [
                TopicDeclaration("cat", about: "Something that is shown has changed.", examples: [Example.state],
                                 causes: ["household.enter", "kitty.apps", "kitty.bypass", "kitty.cooldown", "kitty.goal",
                                          "kitty.onboard", "kitty.shield", "kitty.window"],
                                 inConfidence: ["household": .name]),
                TopicDeclaration("lost", about: "An app was opened anyway, and this is what it has cost.",
                                 examples: [Lost(Cat.Loss(app: 0, lost: 0, bands: [.eighty]), Example.cat, Example.time)],
                                 causes: ["kitty.bypass"]),
                TopicDeclaration("shield", about: "Shields stand again.", examples: [ShieldsBack(apps: [""])]),
                TopicDeclaration("summary", about: "A day is over; nothing is reset yet.",
                                 examples: [DaySummary(DayFigures(Example.record, Example.time), of: "", streak: 0)],
                                 inConfidence: ["household": .name]),
                TopicDeclaration("day", about: "A day has begun.", examples: [DayBegan(day: 0, date: "", daysOff: 0)]),
                TopicDeclaration("streak", about: "Something was achieved for the first time.",
                                 examples: [Achieved(achievements: [.firstGoodDay], streak: 0)]),
                TopicDeclaration("message", about: "The cat says something.",
                                 examples: [KittySays(id: "", group: "", text: Words(en: "", de: ""))],
                                 causes: ["household.enter", "kitty.bypass"]),
            ],
            meanings: meanings, knobs: knobs, exhibition: exhibition,
            chimes: earcons + Condition.allCases.map(\.mew), textures: Condition.allCases.compactMap(\.purr),
            haptics: earcons,
            policy: .household(rollOver: midnight),
            snapshot: Declaration.Snapshot(field: "cat", query: "kitty.state", glance: [
                .init("household", "household"), .init("day", "day"), .init("HP", "hp"), .init("condition", "condition"),
            ]),
            telemetry: [losses, days], highlights: highlights, statistics: KittyStatistics.self,
            visitors: HouseholdProfile.allCases.map(\.declaration) + [StrokingVisitor.declaration], rehearsal: rehearsal,
            page: "scrollkitty")
    }()

    /// The names of the earcons. Each is both heard and felt.
    static let earcons = ["bypass", "shield-back", "band-drop", "welcome", "nightly", "terminal", "streak"]
}

/// Example answers and announcements with every optional part, from which the shapes of real ones are described.
private enum Example {
    static let time = PieceTime(dayMinutes: PieceTime.realDay)
    static let record = DayRecord(day: 0, parts: 0, use: 0, bypasses: 0, goal: 180, firstUse: 0, lastUse: 0, terminalAt: 0,
                                  points: [[0, 0]])
    static let cat: Cat = {
        var cat = Cat(Plan(counting: .perApp, apps: Plan.exhibited), Days(Household.home, time, at: Moment(seconds: Moment.day, offset: 0)))
        cat.history = [record]
        return cat
    }()
    static let onboarding: Onboarding = {
        var onboarding = Onboarding()
        for step in Step.allCases where step.kind == .survey { onboarding.answer(.scale(step, 0)) }
        onboarding.answer(.hours(4))
        onboarding.answer(.age(.from18))
        return onboarding
    }()
    static let steps = OnboardingState(onboarding, for: cat, .full)
    static let week = Week(cat, time)
    static let state: CatState = {
        let point = DayFigures.Point(second: 0, parts: 0)
        let app = CatState.App(name: "", shield: .open, canBypass: false, cost: 5, hp: 0, of: 0, opensFor: 0, bypasses: 0, useMinutes: 0,
                               text: Words(en: "", de: ""))
        return CatState(household: "", isOwn: true, day: 0, date: "", time: "", dayEndsIn: 0, hp: 0, percent: 0, condition: .healthy,
                        bar: "", tone: "", band: 100, counting: .global, nextCounting: .perApp, nextApps: [""], apps: [app],
                        shieldsAct: true, window: [CatState.WindowDay(day: "", start: "", until: "")], cooldownMinutes: 20,
                        goalMinutes: 180, useMinutes: 0, bypasses: 0, firstUse: "", lastUse: "", terminalAt: "", points: [point], streak: 0)
    }()
}

extension ScrollKitty {
    static let perApp = Knob("health-per-app", .flag(standard: false), about: "each app has a health of its own")
    static let knobs = [PieceTime.dayMinutesKnob, PieceTime.visitorDayMinutesKnob, WalkUp.knob, perApp]
}

extension Counting {
    init(perApp: Bool) { self = perApp ? .perApp : .global }
}

extension ScrollKitty {
    public static let command: CommandDeclaration? = CommandDeclaration(
        "kitty", about: "The cat's texts, and its week.",
        check: FileCheck(about: "Say whether files of the cat's texts are good, beside those that Thrum has.", fileExtension: "yaml",
                         example: "messages/scrollkitty/en/*.yaml") { try MessageFiles(with: $0).check() },
        drawing: AnswerDrawing(about: "Draw the week of the running cat: use against the goal, and health.",
                               queries: ["kitty.state", "kitty.week"]) { answers, isColored in
            try WeekDrawing(state: answers["kitty.state"] ?? .null, week: answers["kitty.week"] ?? .null, isColored: isColored).lines
        })
}
