import Calendar
import Experience
import Fields

extension ScrollKitty {
    /// The memory of a household's cat, which the next run of the piece starts from.
    public struct Memory: PieceMemory {
        enum Content: Equatable, Sendable {
            case home(Home)
            /// The household's cat as the first version of the piece stored it: the number of lives that are left, and the number of all
            /// lives.
            case lives(Int, of: Int)
        }

        let content: Content
        /// The memory as JSON. It is made once, because the memory of a household is needed at each event.
        public let json: JSONValue

        /// Makes the memory that replaces `last`. If the cat's history has not changed since `last`, its JSON is taken from there, because
        /// it is the longest part and changes only once a day.
        init(_ content: Content, after last: Memory? = nil) {
            self.content = content
            switch content {
            case .home(var home):
                let history = last?.history(of: home.cat)
                if history != nil { home.cat.history = [] }
                json = Written(cat: Dated(home.cat), onboarding: home.onboarding, messages: home.messages).json.with(history: history)
            case .lives(let lives, let most): json = .object(["lives": .integer(Int64(lives)), "of": .integer(Int64(most))])
            }
        }

        public init(_ fields: Fields) throws {
            if fields.contains("lives") {
                try fields.refuseAll(but: ["lives", "of"])
                let most = try fields.integer("of", in: 1...100)
                self.init(.lives(try fields.integer("lives", in: 0...most), of: most))
                return
            }
            try fields.refuseAll(but: ["cat", "onboarding", "messages"])
            let cat = try fields.nested(Dated<Cat>.self, "cat", expected: "a cat, as this version remembers it").body
            if let fault = cat.damage { throw fault }
            let onboarding = try fields.nested(Onboarding.self, "onboarding", expected: "answers, as this version remembers them")
            guard onboarding.isWell else { throw Fault(field: "onboarding", expected: "answers that its steps allow") }
            let messages = try fields.nested(MessageLog.self, "messages", expected: "what was told, as this version remembers it")
            guard messages.isWell else { throw Fault(field: "messages", expected: "ids of texts, each once") }
            self.init(.home(Home(cat: cat, onboarding: onboarding, messages: messages)))
        }

        /// Returns the JSON of the history in this memory; nil where `cat` has another history.
        private func history(of cat: Cat) -> JSONValue? {
            guard case .home(let own) = content, own.cat.history == cat.history, case .object(let all) = json,
                  case .object(let fields)? = all["cat"] else { return nil }
            return fields["history"]
        }

        public static func == (a: Memory, b: Memory) -> Bool { a.json == b.json }
    }

    private struct Written: Encodable {
        var cat: Dated<Cat>
        var onboarding: Onboarding
        var messages: MessageLog

        var json: JSONValue {
            guard let value = try? JSONValue(encoding: self) else { preconditionFailure("a cat has finite numbers") }
            return value
        }
    }
}

extension JSONValue {
    /// Returns this JSON with `history` as the history of its cat; unchanged where `history` is nil.
    fileprivate func with(history: JSONValue?) -> JSONValue {
        guard let history, case .object(var all) = self, case .object(var cat)? = all["cat"] else { return self }
        cat["history"] = history
        all["cat"] = .object(cat)
        return .object(all)
    }
}

extension Cat {
    /// A fault for the first field whose value this version of the rules cannot have stored; nil when all values are valid.
    fileprivate var damage: Fault? {
        func fault(_ field: String, _ expected: String) -> Fault { Fault(field: "cat." + field, expected: expected) }
        let apps = plan.apps.count
        let seconds = 0..<Moment.day
        if let damage = days.damage(longestName: KittyMove.longestName, first: 0) { return fault(damage.field, damage.expected) }
        guard (1...Plan.mostApps).contains(apps), Set(plan.apps).count == apps else {
            return fault("plan.apps", "1 to 10 names, each once")
        }
        if let next = nextPlan?.apps {
            guard (1...Plan.mostApps).contains(next.count), Set(next).count == next.count else {
                return fault("nextPlan.apps", "1 to 10 names, each once")
            }
        }
        guard plan.counting.allowedCooldowns.contains(cooldown) else {
            return fault("cooldown", "minutes that its way of counting allows")
        }
        if let goal, !Goal.range.contains(goal) { return fault("goal", "180 to 480 minutes") }
        guard window.isWell else { return fault("window", "seven days") }
        guard health.fits(plan) else { return fault("health", "a share for each app, of at most 100 HP together") }
        guard today.bypasses.count == apps, today.use.count == apps, today.points.count <= Today.mostPoints,
              today.points.allSatisfy({ point in
                  (0..<apps).contains(point.app) && seconds.contains(point.second) && (0...Health.full).contains(point.parts)
              }),
              today.bypasses.allSatisfy({ (0...Today.mostBypasses).contains($0) }),
              today.use.allSatisfy({ (0...2 * Moment.day).contains($0) }),
              [today.firstUse, today.lastUse, today.terminalAt].allSatisfy({ $0.map(seconds.contains) ?? true }) else {
            return fault("today", "figures for each app")
        }
        let longest = Counting.cooldowns.upperBound * 60
        guard openings.count <= apps, openings.allSatisfy({ opening in
            (0..<apps).contains(opening.app) && (1...longest).contains(opening.cooldown)
                && Days.moments.contains(opening.since) && Days.moments.contains(opening.until)
        }) else { return fault("openings", "apps of the plan") }
        guard history.count <= Self.longestHistory, zip(history, history.dropFirst()).allSatisfy({ $0.day <= $1.day }),
              history.allSatisfy(\.isWell), (history.last?.day ?? day) <= day else {
            return fault("history", "days in their order")
        }
        guard streaks.isWell else { return fault("streaks", "counts of days") }
        return (0...1_000_000_000_000).contains(deeds) ? nil : fault("deeds", "a count")
    }
}

extension FocusWindow {
    fileprivate var isWell: Bool {
        days.count == 7 && days.allSatisfy { hours in
            hours.map { (0..<1_440).contains($0.from) && (0...1_440).contains($0.to) } ?? true
        }
    }
}

extension DayRecord {
    /// Whether the record is valid: whether this version of the rules can have stored it.
    fileprivate var isWell: Bool {
        let seconds = 0..<Moment.day
        return Days.numbers.contains(day) && (0...Health.full).contains(parts)
            && (0...2 * Plan.mostApps * Moment.day).contains(use) && (0...1_000_000).contains(bypasses)
            && goal.map(Goal.range.contains) ?? true && [firstUse, lastUse, terminalAt].allSatisfy { $0.map(seconds.contains) ?? true }
            && points.allSatisfy { $0.count == 2 && seconds.contains($0[0]) && (0...Health.full).contains($0[1]) }
    }

    /// The day's figures as the note of a ledger entry.
    var note: JSONValue {
        .object(["day": .integer(Int64(day)), "health": .integer(Int64(parts)), "use": .integer(Int64(use)),
                 "bypasses": .integer(Int64(bypasses))])
    }
}
