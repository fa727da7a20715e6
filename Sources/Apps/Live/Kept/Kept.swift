import Calendar
import Dispatch
import Glibc
import Logging
import SystemPackage
import Venue

/// What outlasts a restart: what the day's ears have had, and the preset that was chosen by hand. Nothing where there is no place for it.
/// Thread: the event loop.
struct Kept {
    /// As of the earlier start; a day whose dose is not known any more has an assumed one.
    let day: HearingDay?
    let chosen: ChosenPreset?
    private let dayFile: KeptFile<HearingDay>?
    private let presetFile: KeptFile<ChosenPreset>?
    private let lock: StateLock?
    /// Files that were damaged, in words, and on which day that was found; nil while the clock is not to be believed.
    private let damage: (words: [String], day: Int?)
    /// What was last kept, and when it is to be done again.
    private var preset: ChosenPreset?
    private var next: Int64 = 0

    /// Reads what is in `state`, which may take as long as files are waited for.
    init(in state: String?, logger: Logger) {
        let directory = state.map { FilePath($0) }
        dayFile = directory.map { KeptFile("hearing.json", in: $0, logger: logger) }
        presetFile = directory.map { KeptFile("preset.json", in: $0, logger: logger) }
        lock = directory.map { StateLock($0) }
        lock?.tend()
        var words: [String] = []
        func told(_ path: FilePath?, _ aside: FilePath?, _ reason: String, _ consequence: String) {
            let place = aside.map { "it is \($0) now" } ?? "it could not be set aside"
            words.append("\(path?.string ?? "") was damaged (\(reason); \(place)): \(consequence)")
        }
        switch dayFile?.read() ?? .nothing {
        case .nothing: day = nil
        case .value(let value): day = value
        case .damaged(let written, let aside, let reason):
            let assumed = HearingDay.assumed(on: LocalClock.day(at: written ?? time(nil), utcOffset: SystemTime.utcOffset))
            day = assumed
            told(dayFile?.path, aside, reason, "the day's hearing dose is taken to be \(Int(assumed.dose)) %")
        }
        switch presetFile?.read() ?? .nothing {
        case .nothing: chosen = nil
        case .value(let value): chosen = value
        case .damaged(_, let aside, let reason):
            chosen = nil
            told(presetFile?.path, aside, reason, "the schedule says which preset is on")
        }
        for word in words { logger.error("\(word)") }
        damage = (words, SystemTime.today)
        preset = chosen
    }

    /// What somebody chose at once, and every ten seconds what the day's ears have had. `now` is in nanoseconds.
    mutating func tend(_ house: House, _ now: Int64) {
        if now >= next || house.chosen != preset { keep(house, now) }
    }

    mutating func keep(_ house: House, _ now: Int64) {
        next = now + 10_000_000_000
        preset = house.chosen
        presetFile?.write(house.chosen)
        if let day = house.day { dayFile?.write(day) }
        lock?.tend()
    }

    /// Returns when all is written, or the disk does not take it within two seconds.
    var finish: @Sendable () -> Void {
        { [dayFile, presetFile] in
            let end = DispatchTime.now() + 2
            dayFile?.finish(by: end)
            presetFile?.finish(by: end)
        }
    }

    /// In words. That a file was damaged is told until the day is over, or the next start.
    func issues(on today: Int?) -> [String] {
        let isOver = if let today, let day = damage.day { today != day } else { false }
        return (isOver ? [] : damage.words) + (lock?.issue.map { [$0] } ?? [])
    }
}
