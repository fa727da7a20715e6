import Experience
import Fields
import Signals

extension ColorScroller {
    public static let declaration = Declaration(
        name: "colorscroller", rulesVersion: 4, about: "the feed of coloured cards, whole",
        actions: [
            ActionDeclaration("feed.scroll", about: "Another card is shown.") { FeedMove.scroll(try FeedScroll($0)) },
            ActionDeclaration("feed.reset", about: "The feed begins anew, as for the next visitor.", beginsVisit: false,
                              isForOperators: true) { _ in FeedMove.reset },
        ],
        answers: ["swipe": Example.held.answer, "feed.scroll": Example.held.answer],
        queries: [
            QueryDeclaration("feed.cards", about: "Cards of the feed, those there are so far.", result: "cards",
                             examples: [Example.cards]) {
                Query.cards(from: try $0.integer("first", in: FeedScroll.indices, about: "index of the first card"),
                            count: try $0.integerIfPresent("count", in: 1...Query.mostCards, about: "\(Query.mostCards) by default")
                                ?? Query.mostCards)
            },
            QueryDeclaration("feed.state", about: "Where the visitor is.", result: "state", examples: [Example.feed]) { _ in Query.state },
            QueryDeclaration("feed.inventory", about: "Every unlocked skin, by rarity.", result: "inventory",
                             examples: [Example.inventory]) {
                _ in Query.inventory
            },
            QueryDeclaration("feed.leaderboard", about: "Who is ahead.", result: "leaderboard", examples: [Example.leaderboard]) {
                _ in Query.leaderboard
            },
            QueryDeclaration("feed.palettes", about: "The palettes of this visit, with what they were made of.", result: "palettes",
                             examples: [PaletteList(palettes: [Example.palette])]) { _ in Query.palettes },
        ],
        topics: [
            TopicDeclaration("scroll", about: "A card is shown.", examples: Example.scrolls, causes: swipes),
            TopicDeclaration("unlock", about: "A skin is seen for the first time.",
                             examples: [Unlocked(skin: Example.skin, index: 0, pausedUntil: 0, at: 0).clocked { _ in 0 }],
                             causes: swipes),
            TopicDeclaration("held", about: "A swipe came while the feed stands still: nothing has moved.",
                             examples: [Example.held.clocked { _ in 0 }], causes: swipes),
            TopicDeclaration("toast", about: "A word is to be shown for a moment.", examples: [Toast(rarity: .common, name: "")],
                             causes: swipes),
            TopicDeclaration("palette", about: "Ten skins were made of the visitor's behaviour.",
                             examples: [PaletteMade(palette: Example.palette)], causes: swipes),
            TopicDeclaration("intervention", about: "The machine steps in.",
                             examples: [Intervention(.high, pChurn: 0, reward: Example.cards.cards[2], taunt: Taunt(.passed, ""))],
                             causes: swipes),
            TopicDeclaration("counters", about: "Something that is counted has changed.", examples: [Example.counters],
                             causes: swipes),
            TopicDeclaration("rank", about: "The visitor's place among the rivals has changed.",
                             examples: [RankChange(rank: 1, of: Rivals.lastRank, passed: nil)], causes: swipes),
            TopicDeclaration("reset", about: "The feed has begun anew: its cards are to be asked for again.",
                             examples: [FeedBegun(index: 0)], causes: ["feed.reset"]),
            TopicDeclaration("leaderboard", about: "A session begins, or the hour has changed.", examples: [Example.leaderboard]),
        ],
        meanings: meanings, knobs: knobs, exhibition: KnobSettings([course.name: .number(0), toastCooldown.name: .number(0)]),
        chimes: ["unlock", "ding"], haptics: ["swipe", "unlock", "surprise"],
        record: Example.sessionRecord,
        snapshot: Declaration.Snapshot(field: "feed", query: "feed.state", glance: [
            .init("card", "index"), .init("P(churn)", "pChurn"), .init("unlocked", "unlockCount"), .init("rank", "rank"),
        ]),
        prediction: ChurnModel.declaration, telemetry: [scrolls, unlocks, sessions], highlights: highlights,
        statistics: FeedStatistics.self, survey: FeedSurvey.self,
        visitors: VisitorProfile.allCases.map(\.declaration) + Leaver.declarations + [MotivatedVisitor.declaration],
        demonstration: demonstration,
        rehearsal: rehearsal, page: "colorscroller")

    /// The methods by which a visitor moves the feed.
    private static let swipes = ["feed.scroll", "swipe"]

    private static let highlights = Rarity.allCases.reversed().map { rarity in
        HighlightDeclaration("\(rarity.rawValue) unlocks") { (unlocked: Unlocked) in
            unlocked.skin.rarity == rarity ? unlocked.skin.name : nil
        }
    } + [HighlightDeclaration("interventions") { (intervention: Intervention) in intervention.strength.rawValue }]
}

/// Example answers and announcements, from which the shapes of real ones are described. They have every optional part, except optional
/// parts that are a single number or word.
private enum Example {
    static let feed = FeedState(time: 0, index: 0, generated: 0, blocksViewed: 0, uniqueBlocksSeen: 0, totalSwipes: 0, unlockCount: 0,
                                rewardDrought: 0, pausedUntil: nil, pChurn: 0, model: "", interventions: 0, palettes: 0,
                                rank: 1, toneFrequency: 240, toneLevel: -60)
    static let held = Held(index: 0, pausedUntil: 0, at: 0)
    static let cards = CardList(cards: [
        Card(index: 0, face: .leaderboard), Card(index: 1, face: .gray(Color(gray: 0))), Card(index: 2, face: .skin(skin)),
    ])
    static let inventory = Inventory(entries: Rarity.allCases.map { rarity in
        var skin = skin
        skin.rarity = rarity
        return Inventory.Entry(skin: skin, timesSeen: 1)
    })
    static let leaderboard = Leaderboard(rows: [Leaderboard.Row(name: "", score: 0)], lastSession: LastVisit(cards: 0))
    static let sessionRecord = SessionRecord(timestamp: 0, sessionLength: 0, activeScrollSeconds: 0, blocksViewed: 0, uniqueBlocksSeen: 0,
                                             totalSwipes: 0, unlockCount: 0, interventions: 0, pChurn: nil)
    /// An example of the announcement `scroll` for each face that a card can have.
    static let scrolls = cards.cards.map { card in
        Scroll(
            record: ScrollRecord(
                timestamp: 0, cardIndex: 0, blocksViewed: 0, uniqueBlocksSeen: 0, unlockCount: 0, rewardDrought: 0, velocity: 0,
                velocityTrend: 0, sessionLength: 0, activeScrollSeconds: 0, timeOfDayBucket: 0, rarityShown: .common, pChurn: 0),
            decision: decision, card: card, cards: cards.cards, state: feed)
    }
    private static let decision = Decision(model: "", margin: 0, isEligible: true, isHeldOut: false, action: .none, propensity: 1,
                                           chosen: .none)
    static let counters = Counters(blocksViewed: 0, uniqueBlocksSeen: 0, totalSwipes: 0, unlockCount: 0, rewardDrought: 0, interventions: 0,
                                   palettes: 0, rank: 1, pChurn: nil, toneLevel: -60)
    static let palette: Palette = {
        var palettes = Palettes()
        return palettes.make(Palette.Recipe(
            behaviour: Behaviour(blocksViewed: 0, uniqueBlocksSeen: 0, activeScrollMilliseconds: 0, isScrolling: true, index: 0,
                                 timeOfDayBucket: 0, sessionMilliseconds: 0, rarityWeights: [0], rare: ""), isFolded: true, timestamp: 0))
    }()
    static let skin = Skin(id: "", name: "", rarity: .common, look: .symbols("", [Color(gray: 0)]))
}
