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
    static let explore = Knob("explore", .number(0...0.5, standard: 0.05), unit: "chance per card",
                              about: "that what the machine does is drawn, and not chosen by its model")
    static let holdout = Knob("holdout", .number(0...1, standard: 0.1), unit: "part of visits",
                              about: "on which the machine never steps in; counts from the next visit on")
    static let knobs = [forceUnlockAll, toastCooldown, chanceEarly, chanceMiddle, chanceLate, paletteMood, course, explore, holdout]

    /// The smallest number of views of a course that the knob sets. In fewer steps people would not hear the tone's way as one movement.
    static let shortestCourse = 20
}

/// The values of the knobs, as the rules use them.
struct Tuning: Codable, Equatable, Sendable {
    private(set) var forcesUnlocks: Bool
    /// The shortest time between two toasts, in seconds.
    private var cooldown: Double
    private(set) var chanceEarly: Double
    private(set) var chanceMiddle: Double
    private(set) var chanceLate: Double
    private(set) var foldsByMood: Bool
    /// The length of the course in views; nil where it follows the lengths of the house's visits.
    private(set) var course: Int?
    private(set) var explore: Double
    private(set) var holdout: Double

    init(_ knobs: KnobSettings = .standard) {
        forcesUnlocks = knobs.isOn(ColorScroller.forceUnlockAll)
        cooldown = knobs.number(ColorScroller.toastCooldown)
        chanceEarly = knobs.number(ColorScroller.chanceEarly)
        chanceMiddle = knobs.number(ColorScroller.chanceMiddle)
        chanceLate = knobs.number(ColorScroller.chanceLate)
        foldsByMood = knobs.isOn(ColorScroller.paletteMood)
        course = Self.course(knobs.number(ColorScroller.course))
        explore = knobs.number(ColorScroller.explore)
        holdout = knobs.number(ColorScroller.holdout)
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
        case (ColorScroller.explore, .number(let chance)): explore = chance
        case (ColorScroller.holdout, .number(let part)): holdout = part
        default: break
        }
    }
}

/// The length of a visit's course, in views. The tone goes from its start to its end on the course. Skins appear at the authors'
/// proportions of it (10, 55 and 85 of 500).
struct Course: Codable, Equatable, Sendable {
    /// The course that the authors chose.
    static let authors = Course(views: 500)
    /// The range of lengths of a course that follows the house's visits, in views.
    private static let learned = 60...500
    /// The ratio of a course's length to the median length of visits. With the theme `standard`, half of all visitors then hear the tone at
    /// −60 + 54 / 1.6 = −26 dBFS or louder, 10 dB below the chime.
    private static let lengthOfVisits = 1.6
    /// The number of latest visits from which the course is computed.
    static let memory = 25
    /// The smallest number of visits from which the course is computed. Missing visits count as visits of 90 cards, the typical length at
    /// exhibitions, where a visit lasts three minutes.
    private static let leastVisits = 5
    private static let typicalVisit = 90
    /// The highest probability of a new skin on a shorter course, so that a new skin stays an event.
    private static let likeliest = 0.75

    /// The length of the course: the number of views after which the tone's level has reached its end.
    let views: Int

    private init(views: Int) { self.views = views }

    /// Computes the course: the length that the knob sets, or the length that fits the house's latest visits.
    init(_ tuning: Tuning, after visits: [Int]) {
        if let pinned = tuning.course {
            views = pinned
        } else {
            let known = visits.suffix(Self.memory)
            let all = (known + repeatElement(Self.typicalVisit, count: max(0, Self.leastVisits - known.count))).sorted()
            let fitting = (Double(all[all.count / 2]) * Self.lengthOfVisits).rounded()
            views = Int(min(max(fitting, Double(Self.learned.lowerBound)), Double(Self.learned.upperBound)))
        }
    }

    private var stretch: Double { Double(views) / Double(Self.authors.views) }

    /// Returns the number of cards that is the same fraction of this course as `authors` cards are of the authors' 500; at least one.
    func cards(_ authors: Int) -> Int { max(1, Int((Double(authors) * stretch).rounded())) }

    /// Returns the probability of a new skin per card on this course. With it, a visitor finds on the whole course as many skins as with
    /// `chance` on the authors' course. On a short course it is limited, so that a new skin stays an event.
    func chance(_ chance: Double) -> Double { min(chance / stretch, max(chance, Self.likeliest)) }

    /// Returns the theme's tone curve, stretched to this course.
    func curve(_ theme: ToneCurve) -> ToneCurve {
        guard self != .authors else { return theme }
        var before = -1
        return ToneCurve(points: theme.points.map { point in
            before = max(before + 1, Int((Double(point.views) * stretch).rounded()))
            return ToneCurve.Point(views: before, frequency: point.frequency, level: point.level)
        })
    }
}
