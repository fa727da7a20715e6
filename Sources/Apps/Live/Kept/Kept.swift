import Calendar
import Conductor
import Glibc
import Logging
import StateStore
import SystemPackage
import Venue

/// Has what outlasts a restart: it reads the store at the start, and hands it the day's dose and the preset that was chosen by hand.
/// Without a state directory nothing is kept. Thread: the event loop; only the initializer and `finish` wait for the disk.
struct Kept {
    /// Nil where there is no state directory.
    let store: StateStore?
    /// As of the last run of thrumd; a day whose dose is unknown has an assumed one.
    let day: HearingDay?
    let chosen: ChosenPreset?
    /// That are good.
    let tokens: [KeptToken]
    /// Every version of every piece.
    let versions: [KeptDocument]
    /// Whether what was kept could be read.
    let isKnown: Bool
    private let logger: Logger
    /// What could not be read, in words, and on which day that was found; nil while the clock is not to be believed.
    private let losses: (words: [String], day: Int?)
    /// How many of the store's damages are among them.
    private let knownDamage: Int
    /// What was last kept; what could not be read is not overwritten until somebody chooses.
    private var preset: ChosenPreset?
    private var ownsChoice: Bool
    private var next: Int64 = 0
    private var nextLook: Int64 = 0
    private var told: [String] = []
    /// Of which the running piece knows something, as counted last.
    private var households = 0
    private var secrets = 0
    private var nextCount: Int64 = 0

    /// Reads what is in `state`; waits at most `BlockingWork.limit`.
    init(in state: String?, logger: Logger) {
        self.logger = logger
        store = state.map { StateStore(in: FilePath($0)) }
        let found = store?.open() ?? StateStore.Found()
        let damage = store?.damage ?? []
        var losses = damage.map { Self.words($0, costing: Self.consequence) }
        if let reason = found.unread {
            losses.append("what was kept could not be read (\(reason)): " + Self.consequence)
        }
        var day = found.hearingDay
        if day == nil, !damage.isEmpty || found.unread != nil {
            day = .assumed(on: LocalClock.day(at: damage.first?.written ?? time(nil), utcOffset: SystemTime.utcOffset))
        }
        self.day = day
        chosen = found.preset
        tokens = found.tokens
        versions = found.documents
        isKnown = found.unread == nil
        preset = found.preset
        ownsChoice = found.unread == nil
        knownDamage = damage.count
        self.losses = (losses, SystemTime.today)
        for words in losses { logger.error("\(words)") }
    }

    static let nowhere = NotKept(reason: "there is no state directory, because none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is set")

    private static let consequence = "the day's hearing dose is taken to be 50 %, the schedule says which preset is on, "
        + "nothing is known of households, no document is published, and no token is good"

    private static func words(_ damage: Damage, costing consequence: String) -> String {
        let place = damage.aside.map { "it is \($0) now" } ?? "it could not be set aside"
        return "\(damage.path) was damaged (\(damage.reason); \(place)): \(consequence)"
    }

    /// Keeps a choice at once, and the day's dose every ten seconds; looks each second whether the database is still where it was. `now`
    /// is in nanoseconds.
    mutating func tend(_ house: House, _ now: Int64) {
        if now >= next || house.chosen != preset {
            keep(house, now)
        } else if now >= nextLook {
            store?.commit([])
        }
        if now >= nextLook { nextLook = now + 1_000_000_000 }
        let issues = store?.issues ?? []
        for issue in issues where !told.contains(issue) { logger.error("\(issue)") }
        told = issues
    }

    /// Somebody has chosen a preset, or given it back to the schedule: that counts, also where it could not be read what was chosen before.
    mutating func keepChoice(of house: House, _ now: Int64, then: @escaping @Sendable (NotKept?) -> Void) {
        ownsChoice = true
        keep(house, now, then: then)
    }

    /// `then` is told when all is on the disk, or why it is not, on any thread; at once where nothing can be kept.
    mutating func keep(_ house: House, _ now: Int64, then: (@Sendable (NotKept?) -> Void)? = nil) {
        next = now + 10_000_000_000
        ownsChoice = ownsChoice || house.chosen != preset
        preset = house.chosen
        guard let store else {
            then?(Self.nowhere)
            return
        }
        // What stands there already is not written again.
        let changes: [Change] = (ownsChoice ? [.choose(house.chosen)] : []) + (house.day.map { [.hear($0)] } ?? [])
        guard let then else { return store.commit(changes) }
        store.commit(changes) { result in
            if case .failure(let problem) = result { then(problem) } else { then(nil) }
        }
    }

    /// Returns when all is on the disk, or the disk does not take it within two seconds.
    var finish: @Sendable () -> Void {
        { [store, logger] in
            guard let store, !store.close() else { return }
            logger.error("the disk does not take what is to outlast a restart", metadata: ["file": "\(store.path)"])
        }
    }

    /// In words. A loss is an issue until the day is over, or the next start.
    func issues(on today: Int?) -> [String] {
        guard let store else { return ["what is to outlast a restart is not kept: \(Self.nowhere.reason)"] }
        let isOver = if let today, let day = losses.day { today != day } else { false }
        let later = store.damage.dropFirst(knownDamage).map {
            Self.words($0, costing: "a new one was begun with everything but the ledger's earlier entries; "
                + "of these it has whatever counts once for everybody")
        }
        let full = [Self.issue(ofKept: households), Self.issue(ofSecrets: secrets)].compactMap { $0 }
        return (isOver ? [] : losses.words) + later + store.issues + full
    }

    /// Counts once a second. `now` is in nanoseconds.
    mutating func countHouseholds(of piece: String, _ now: Int64) {
        guard now >= nextCount else { return }
        nextCount = now + 1_000_000_000
        households = store?.memoryCount(of: piece) ?? 0
        secrets = store?.secretCount(of: piece) ?? 0
    }

    /// From nine tenths of what there is room for, so that somebody can make room in time. Constant as long as it lasts.
    static func issue(ofKept households: Int) -> String? {
        let most = Conductor.mostHouseholds
        let near = most / 10 * 9
        guard households >= near else { return nil }
        let room = "`thrum household list` names them, `thrum household remove` and `merge` make room"
        return households < most ? "\(near) households or more are kept, and there is room for \(most): \(room)"
            : "\(most) households are kept, and nobody new can enter: \(room)"
    }

    /// The same of secrets: visitors find no room for one more where operators still do.
    static func issue(ofSecrets secrets: Int) -> String? {
        let most = Conductor.mostHouseholds - SecretDesk.keptForOperators
        let near = most / 10 * 9
        guard secrets >= near else { return nil }
        let room = "`thrum household list` names those of which nothing else is kept, and `thrum household remove` makes room"
        return secrets < most ? "\(near) households or more have a secret, and visitors can give one to \(most): \(room)"
            : "\(most) households or more have a secret, and visitors can give one to no other: \(room)"
    }
}
