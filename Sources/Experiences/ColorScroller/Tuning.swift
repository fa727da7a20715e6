import Signals
import Units

extension ColorScroller {
    static let forceUnlockAll = Knob("force-unlock-all", .flag(standard: false), about: "every skin of the catalogue counts as unlocked")
    static let toastCooldown = Knob("toast-cooldown", .number(0...60, standard: 3), unit: "seconds",
                                    about: "from one toast to the next, at least")
    static let chanceEarly = Knob("chance-early", .number(0...1, standard: 0.20), unit: "chance per card",
                                  about: "that a card carries a new skin while commons are to be found")
    static let chanceMiddle = Knob("chance-middle", .number(0...1, standard: 0.12), unit: "chance per card",
                                   about: "the same until the catalogue's rares are found")
    static let chanceLate = Knob("chance-late", .number(0...1, standard: 0.08), unit: "chance per card",
                                 about: "the same while specials are to be found")
    static let paletteMood = Knob("palette-mood", .flag(standard: true),
                                  about: "the time of day picks the hue of palettes, the pace their saturation")
    static let course = Knob("course", .number(0...1000, standard: Double(Course.authors.views)), unit: "views",
                             about: "the whole way of tone and discovery; 0 fits it to the house's visits, 500 is the authors'")
    static let knobs = [forceUnlockAll, toastCooldown, chanceEarly, chanceMiddle, chanceLate, paletteMood, course]

    /// The fewest views of a course that is pinned: a way in fewer steps cannot be heard as one.
    static let shortestCourse = 20
}

/// The values of the knobs, as the rules use them.
struct Tuning: Codable, Equatable, Sendable {
    private(set) var forcesUnlocks: Bool
    /// Seconds.
    private var cooldown: Double
    private(set) var chanceEarly: Double
    private(set) var chanceMiddle: Double
    private(set) var chanceLate: Double
    private(set) var foldsByMood: Bool
    /// The views of the whole course; nil where it follows the house's visits.
    private(set) var course: Int?

    init(_ knobs: KnobSettings = .standard) {
        forcesUnlocks = knobs.isOn(ColorScroller.forceUnlockAll)
        cooldown = knobs.number(ColorScroller.toastCooldown)
        chanceEarly = knobs.number(ColorScroller.chanceEarly)
        chanceMiddle = knobs.number(ColorScroller.chanceMiddle)
        chanceLate = knobs.number(ColorScroller.chanceLate)
        foldsByMood = knobs.isOn(ColorScroller.paletteMood)
        course = Self.course(knobs.number(ColorScroller.course))
    }

    private static func course(_ views: Double) -> Int? { views == 0 ? nil : max(ColorScroller.shortestCourse, Int(views.rounded())) }

    var toastCooldown: Seconds { Seconds(cooldown) }

    mutating func turn(_ knob: Knob, to value: KnobValue) {
        switch (knob, value) {
        case (ColorScroller.forceUnlockAll, .flag(let on)): forcesUnlocks = on
        case (ColorScroller.toastCooldown, .number(let seconds)): cooldown = seconds
        case (ColorScroller.chanceEarly, .number(let chance)): chanceEarly = chance
        case (ColorScroller.chanceMiddle, .number(let chance)): chanceMiddle = chance
        case (ColorScroller.chanceLate, .number(let chance)): chanceLate = chance
        case (ColorScroller.paletteMood, .flag(let on)): foldsByMood = on
        case (ColorScroller.course, .number(let views)): course = Self.course(views)
        default: break
        }
    }
}
