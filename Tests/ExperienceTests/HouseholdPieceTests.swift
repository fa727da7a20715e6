import Calendar
import Experience
import Fields
import Signals
import Testing
import Units

/// Writes down which days were lived, and how.
private struct Diary: HouseholdPiece {
    struct Enter: ActionBody {
        var who: String
        var name: String { "diary.enter" }
        var entering: String? { who }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {}
    }

    typealias Move = Enter

    struct Home: LivesByDays, Equatable {
        var days: Days
        var ended: [Int] = []
        var began: [Int] = []
        var daysOff: [Int] = []
        var forgotten = 0
        var moved: [Int] = []
        var due: [Int] = []
        var farewells = 0
    }

    struct Memory: PieceMemory {
        var home: Home
        init(home: Home) { self.home = home }
        init(_ fields: Fields) throws { throw Fault(field: "", expected: "nothing: this piece is not kept") }
        var json: JSONValue { .object([:]) }
    }

    static let declaration: Declaration = {
        guard let midnight = LocalTime("00:00") else { preconditionFailure("it is a time") }
        return Declaration(name: "diary", rulesVersion: 1, about: "writes days down", actions: [
            ActionDeclaration("diary.enter", about: "Somebody enters.", entersHousehold: true) { Enter(who: try $0.text("who")) },
        ], knobs: [PieceTime.dayMinutesKnob, PieceTime.visitorDayMinutesKnob, WalkUp.knob],
        exhibition: KnobSettings([PieceTime.visitorDayMinutesKnob.name: .number(0.5), WalkUp.knob.name: .flag(true)]),
        policy: .household(rollOver: midnight))
    }()

    var home: Home
    var life: Life<Memory>
    /// Whether it lives on while the machine is off.
    var livesAway = false

    init(_ opening: Opening) {
        life = Life(opening)
        home = Home(days: .unread)
    }

    func recall(_ memory: Memory?, _ days: Days) -> Home { memory?.home ?? Home(days: days) }
    func remembered(after last: Memory?) -> Memory { Memory(home: home) }

    mutating func endDay(at end: Moment, now: Moment) -> Effects {
        home.ended.append(home.day)
        home.due.append(end.seconds)
        return Effects()
    }

    mutating func beginDay(at now: Moment, daysOff: Int) -> Effects {
        home.began.append(home.day)
        home.daysOff.append(daysOff)
        return Effects()
    }

    mutating func forgetDaysToCome() { home.forgotten += 1 }
    mutating func move(by days: Int, from old: Moment, to new: Moment) { home.moved.append(days) }
    mutating func farewell(at now: Moment) -> Effects {
        home.farewells += 1
        return Effects()
    }
    mutating func act(on move: Enter, at now: Moment, _ time: Now) -> Effects { Effects() }
}

@Suite struct HouseholdPieceTests {
    /// Noon of a day since 1970-01-01 in UTC, `hours` later.
    private func noon(_ day: Int, hours: Double = 0) -> Now {
        Now(frame: .zero, civilTime: CivilTime(instant: Double(day) * 86_400 + 43_200 + hours * 3_600, utcOffset: 0))
    }

    private func diary(at now: Now, _ knobs: KnobSettings = .standard) -> Diary {
        var diary = Diary(Opening(theme: .standard, seed: 1, rate: .standard, knobs: knobs))
        _ = diary.begin(at: now, nil)
        return diary
    }

    @Test func `a day ends at its midnight, and days without the machine are not lived`() {
        var diary = diary(at: noon(20_000))
        #expect(diary.home.day == 20_000 && diary.home.household == Household.home)
        _ = diary.reduce(.tick, at: noon(20_000, hours: 11.9))
        #expect(diary.home.ended.isEmpty)
        _ = diary.reduce(.tick, at: noon(20_001))
        _ = diary.reduce(.tick, at: noon(20_005))
        #expect(diary.home.ended == [20_000, 20_001] && diary.home.began == [20_001, 20_005] && diary.home.daysOff == [0, 3])
        #expect(diary.home.due == [20_001, 20_002].map { $0 * 86_400 - 1 })
    }

    @Test func `who lives on without the machine lives each day, and at most a year of them`() {
        var diary = diary(at: noon(20_000))
        diary.livesAway = true
        _ = diary.reduce(.tick, at: noon(20_004))
        #expect(diary.home.ended == Array(20_000..<20_004) && diary.home.daysOff == [3])
        _ = diary.reduce(.tick, at: noon(21_004))
        #expect(diary.home.ended.dropFirst(4) == [20_004] + Array(20_638..<21_004) && diary.home.daysOff == [3, 999])
    }

    @Test func `a clock that was ahead by days is followed, and a day lived by it is not forgotten for an hour`() {
        var diary = diary(at: noon(20_000))
        _ = diary.reduce(.tick, at: noon(19_999))
        #expect(diary.home.day == 20_000 && diary.home.forgotten == 0)
        _ = diary.reduce(.tick, at: noon(19_998))
        #expect(diary.home.day == 19_998 && diary.home.forgotten == 1 && diary.home.ended.isEmpty)
    }

    @Test func `at another speed the day that is lived goes on under its new number, and from a memory, too`() {
        var diary = diary(at: noon(20_000))
        _ = diary.reduce(.knob(PieceTime.dayMinutesKnob, .number(10)), at: noon(20_000, hours: 1))
        #expect(diary.home.day == 20_000 * 144 + 78 && diary.home.moved == [20_000 * 143 + 78] && diary.home.ended.isEmpty)
        var slow = Diary(Opening(theme: .standard, seed: 1, rate: .standard))
        _ = slow.begin(at: noon(20_000, hours: 2), diary.memory)
        // The days on which it was off are those of its own clock.
        #expect(slow.home.ended.count == 1 && slow.home.daysOff == [5] && slow.home.day == 20_000 && slow.home.moved.count == 2)
    }

    @Test func `another household enters by what an action says, and leaves with the visit`() {
        var diary = diary(at: noon(20_000))
        #expect(diary.reduce(.move(Diary.Enter(who: Household.home)), at: noon(20_000)).household == nil)
        let effects = diary.reduce(.move(Diary.Enter(who: "badge 7")), at: noon(20_000))
        #expect(effects.household == "badge 7" && effects.result == .object(["household": .text("badge 7")]))
        _ = diary.begin(at: noon(20_000), nil)
        #expect(diary.home.household == "badge 7")
        #expect(diary.reduce(.visit(.ended), at: noon(20_000)).household == Household.home)
        #expect(diary.home.farewells == 1)
    }

    @Test func `a visitor's own household has days of its own length, and the house's goes on by its own`() {
        var diary = diary(at: noon(20_000), KnobSettings([PieceTime.visitorDayMinutesKnob.name: .number(0.1)]))
        let home = diary.memory
        _ = diary.reduce(.move(Diary.Enter(who: "badge 7")), at: noon(20_000))
        _ = diary.begin(at: noon(20_000), nil)
        // 0.1 is too short: half a minute is a day, of which a real one has 2,880.
        #expect(diary.time == PieceTime(dayMinutes: 0.5) && diary.home.day == 20_000 * 2_880 + 1_440)
        _ = diary.reduce(.tick, at: noon(20_000, hours: 1.0 / 60))
        #expect(diary.home.ended.count == 1 && diary.home.daysOff == [1])
        _ = diary.reduce(.visit(.ended), at: noon(20_000, hours: 1))
        _ = diary.begin(at: noon(20_000, hours: 1), home)
        #expect(diary.time == PieceTime(dayMinutes: 1_440) && diary.home.day == 20_000 && diary.home.moved.isEmpty)
        _ = diary.reduce(.knob(PieceTime.visitorDayMinutesKnob, .number(3)), at: noon(20_000, hours: 2))
        #expect(diary.time == PieceTime(dayMinutes: 1_440))
    }

    @Test(arguments: [true, false])
    func `a guest begins anew by entering in a walk-up, and not when a run begins`(isWalkUp: Bool) {
        var diary = diary(at: noon(20_000), KnobSettings([WalkUp.knob.name: .flag(isWalkUp)]))
        _ = diary.reduce(.move(Diary.Enter(who: Household.guest)), at: noon(20_000))
        _ = diary.begin(at: noon(20_000), nil)
        _ = diary.reduce(.tick, at: noon(20_002))
        let guest = diary.memory
        _ = diary.begin(at: noon(20_002), guest)
        #expect(diary.home.ended == [20_000])
        _ = diary.reduce(.move(Diary.Enter(who: Household.home)), at: noon(20_002))
        _ = diary.begin(at: noon(20_002), nil)
        _ = diary.reduce(.move(Diary.Enter(who: Household.guest)), at: noon(20_002))
        _ = diary.begin(at: noon(20_002), guest)
        #expect(diary.home.ended == (isWalkUp ? [] : [20_000]) && diary.home.household == Household.guest)
    }

    /// A day is 30 s, so a second is 2,880 s by the piece's clock.
    @Test func `in a walk-up a guest's first day is a whole one, whenever they come, and no day of guests is lived twice`() {
        func seconds(_ count: Double) -> Now { noon(20_000, hours: count / 3_600) }
        var diary = diary(at: seconds(0), Diary.declaration.exhibition)
        func enter(_ who: String, at now: Now, _ memory: Diary.Memory?) {
            _ = diary.reduce(.move(Diary.Enter(who: who)), at: now)
            _ = diary.begin(at: now, memory)
        }
        let day = 20_000 * 2_880 + 1_440
        enter(Household.guest, at: seconds(7), nil)
        #expect(diary.moment(at: seconds(7)).secondOfDay == 0 && diary.home.day == day)
        _ = diary.reduce(.knob(WalkUp.knob, .flag(true)), at: seconds(8))
        #expect(diary.moment(at: seconds(8)).secondOfDay == 2_880 && diary.home.moved.isEmpty, "a knob does not set the clock")
        _ = diary.reduce(.tick, at: seconds(36))
        #expect(diary.home.ended.isEmpty)
        _ = diary.reduce(.tick, at: seconds(38))
        #expect(diary.home.ended == [day])
        let guest = diary.memory
        enter(Household.home, at: seconds(38), nil)
        #expect(diary.time == PieceTime(dayMinutes: PieceTime.realDay))
        enter(Household.guest, at: seconds(38), guest)
        // The guest before was in the day `day + 1`.
        #expect(diary.home.day == day + 2 && diary.moment(at: seconds(38)).secondOfDay == 0 && diary.home.ended.isEmpty)
    }

    /// Noon of day 20,000 is in day 57,601,440 of half a minute, and in day 9,600,240 of three minutes.
    @Test func `a guest's day by a clock of another speed does not follow the number of the last guest's`() {
        var diary = diary(at: noon(20_000), Diary.declaration.exhibition)
        func enter(_ who: String, _ memory: Diary.Memory?) {
            _ = diary.reduce(.move(Diary.Enter(who: who)), at: noon(20_000))
            _ = diary.begin(at: noon(20_000), memory)
        }
        enter(Household.guest, nil)
        #expect(diary.home.day == 57_601_440)
        let guest = diary.memory
        enter(Household.home, nil)
        _ = diary.reduce(.knob(PieceTime.visitorDayMinutesKnob, .number(3)), at: noon(20_000))
        enter(Household.guest, guest)
        #expect(diary.home.day == 9_600_240 && diary.moment(at: noon(20_000)).secondOfDay == 0)
    }

    @Test func `it is woken at the next full hour, and a refusal changes nothing`() {
        let diary = diary(at: noon(20_000))
        #expect(diary.wake(after: noon(20_000, hours: 0.25)) == .instant(noon(20_000, hours: 1).civilTime.instant))
        #expect(diary.refusal(of: .move(Diary.Enter(who: "a")), at: noon(20_009)) == nil && diary.home.day == 20_000)
    }
}
