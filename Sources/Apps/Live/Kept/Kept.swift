import Calendar
import Conductor
import class Experience.Declaration
import enum Experience.Household
import Fields
import Files
import Glibc
import JSON
import Logging
import Publishing
import StateStore
import SystemPackage
import Venue

/// Keeps what outlasts a restart: the day's hearing dose, the preset and the volume chosen by hand, and households' memories and ledgers.
/// Reads it from the state database at the start, and writes changes to the database. Without a state directory nothing is kept. Thread:
/// the event loop; only the initializer and `finish` wait for the disk.
struct Kept {
    /// The state database; nil where there is no state directory.
    let store: StateStore?
    /// The day's dose of sound at the end of thrumd's last run, for the hearing guard. A day whose dose cannot be read gets an assumed one.
    let day: HearingDay?
    let chosen: ChosenPreset?
    /// The volume that was set by hand; nil where none is stored.
    let volume: ChosenVolume?
    /// The valid tokens.
    let tokens: [KeptToken]
    /// Every version of every piece's documents.
    let versions: [KeptDocument]
    /// The name of the first journal that is still to be sent elsewhere, as `OutboxDesk` has stored it; nil where none is sent.
    let unsent: String?
    /// Whether the database could be read at the start.
    let isKnown: Bool
    private let logger: Logger
    /// The data that could not be read, in words, and the day on which that was found. The day is nil while the clock is obviously wrong.
    private let losses: (words: [String], day: Int?)
    /// The number of the store's damages that are in `losses`.
    private let knownDamage: Int
    /// The preset and the volume chosen by hand, as they were stored last.
    private var choice: Choice
    /// Whether the preset and the volume may be written to the database. A choice that could not be read there is not overwritten until
    /// somebody makes a new choice.
    private var owns: (preset: Bool, volume: Bool)
    private var next: Int64 = 0
    private var nextLook: Int64 = 0
    private var logged: [String] = []
    /// The number of the running piece's stored households at the last count.
    private var households = 0
    private var secrets = 0
    private var nextCount: Int64 = 0

    /// Reads the database in the directory `state`. Waits at most `BlockingWork.limit`.
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
        (chosen, volume) = (found.preset, found.volume)
        tokens = found.tokens
        versions = found.documents
        unsent = OutboxDesk.unsent(in: found.cursors)
        isKnown = found.unread == nil
        choice = Choice(preset: found.preset, volume: found.volume)
        owns = (found.unread == nil, found.unread == nil)
        knownDamage = damage.count
        self.losses = (losses, SystemTime.today)
        for words in losses { logger.error("\(words)") }
    }

    /// The preset and the volume that people have chosen by hand.
    private struct Choice: Equatable {
        var preset: ChosenPreset?
        var volume: ChosenVolume?

        init(preset: ChosenPreset?, volume: ChosenVolume?) { (self.preset, self.volume) = (preset, volume) }

        init(of house: House) { self.init(preset: house.chosen, volume: house.chosenVolume) }
    }

    static let nowhere = NotKept(reason: "there is no state directory, because none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is set")

    private static let consequence = "the day's hearing dose is taken to be 50 %, the schedule says which preset is on, no volume is set, "
        + "nothing is known of households, no document is published, and no token is good"

    private static func words(_ damage: Damage, costing consequence: String) -> String {
        let remains = damage.aside.map { "it is \($0) now" } ?? "it could not be set aside"
        return "\(damage.path) was damaged (\(damage.reason); \(remains)): \(consequence)"
    }

    /// Stores a changed choice of the preset or the volume at once, and the day's dose of sound every ten seconds. Checks once a second
    /// whether the database is still in its place. `now` is CLOCK_MONOTONIC in nanoseconds.
    mutating func tend(_ house: House, _ now: Int64) {
        if now >= next || Choice(of: house) != choice {
            keep(house, now)
        } else if now >= nextLook {
            store?.commit([])
        }
        if now >= nextLook { nextLook = now + 1_000_000_000 }
        let issues = store?.issues ?? []
        for issue in issues where !logged.contains(issue) { logger.error("\(issue)") }
        logged = issues
    }

    /// One of the two choices by hand.
    enum Part { case preset, volume }

    /// Stores the choice by hand of a preset or of a volume, even where the stored choice before could not be read. That the schedule
    /// chooses the preset again is such a choice, too. Calls `then` as `keep` does.
    mutating func keepChoice(of part: Part, in house: House, _ now: Int64, then: @escaping @Sendable (NotKept?) -> Void) {
        switch part {
        case .preset: owns.preset = true
        case .volume: owns.volume = true
        }
        keep(house, now, then: then)
    }

    /// Stores the preset and the volume chosen by hand, and the day's dose of sound. Calls `then`, on any thread, when all are on the disk,
    /// or with the reason why they are not. Calls it at once where nothing can be stored.
    mutating func keep(_ house: House, _ now: Int64, then: (@Sendable (NotKept?) -> Void)? = nil) {
        next = now + 10_000_000_000
        let former = choice
        choice = Choice(of: house)
        owns = (owns.preset || choice.preset != former.preset, owns.volume || choice.volume != former.volume)
        guard let store else {
            then?(Self.nowhere)
            return
        }
        // What stands there already is not written again.
        let changes: [Change] = (owns.preset ? [.choose(choice.preset)] : []) + (owns.volume ? [.turn(choice.volume)] : [])
            + (house.day.map { [.hear($0)] } ?? [])
        guard let then else { return store.commit(changes) }
        store.commit(changes) { result in
            if case .failure(let problem) = result { then(problem) } else { then(nil) }
        }
    }

    /// Returns a function that waits until everything is on the disk, but at most two seconds.
    var finish: @Sendable () -> Void {
        { [store, logger] in
            guard let store, !store.close() else { return }
            logger.error("the disk does not take what is to outlast a restart", metadata: ["file": "\(store.path)"])
        }
    }

    /// Returns the issues in words. Lost data is an issue until the day is over or the daemon starts again.
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

    /// Counts the stored households and secrets, once a second. `now` is CLOCK_MONOTONIC in nanoseconds.
    mutating func countHouseholds(of piece: String, _ now: Int64) {
        guard now >= nextCount else { return }
        nextCount = now + 1_000_000_000
        households = store?.memoryCount(of: piece) ?? 0
        secrets = store?.secretCount(of: piece) ?? 0
    }

    /// Returns the issue that there are too many households; nil below nine tenths of the limit. It comes that early so that somebody can
    /// make room in time. The words do not change while it lasts.
    static func issue(ofKept households: Int) -> String? {
        let most = Conductor.mostHouseholds
        let near = most / 10 * 9
        guard households >= near else { return nil }
        let room = "`thrum household list` names them, `thrum household remove` and `merge` make room"
        return households < most ? "\(near) households or more are kept, and there is room for \(most): \(room)"
            : "\(most) households are kept, and nobody new can enter: \(room)"
    }

    /// Returns the issue that there are too many secrets; nil below nine tenths of the limit for visitors. Operators may give further
    /// households a secret beyond that limit.
    static func issue(ofSecrets secrets: Int) -> String? {
        let most = Conductor.mostHouseholds - SecretDesk.keptForOperators
        let near = most / 10 * 9
        guard secrets >= near else { return nil }
        let room = "`thrum household list` names those of which nothing else is kept, and `thrum household remove` makes room"
        return secrets < most ? "\(near) households or more have a secret, and visitors can give one to \(most): \(room)"
            : "\(most) households or more have a secret, and visitors can give one to no other: \(room)"
    }
}

// What a piece keeps of its households.
extension Kept {
    /// Returns the stored memory of a household; nil where none is stored. Stored text that is no JSON becomes a JSON string, which no
    /// piece accepts as a memory.
    func memory(of piece: String, household: String = Household.home) -> JSONValue? {
        store?.memory(piece: piece, household: household).map { Self.value($0) }
    }

    /// Returns the value of JSON text. Other text becomes a JSON string.
    static func value(_ text: String) -> JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .text(text) }

    /// Returns the hash of a household's secret; nil where it has none. Stored text that is no hash counts as a secret that nobody knows.
    func secret(of piece: String, household: String) -> SlowHash? {
        store?.secret(piece: piece, household: household).map { SlowHash(text: $0) ?? .ofNothing }
    }

    /// Stores what the conductor wants stored. Calls `then`, on any thread, when that is on the disk, or with the reason why it is not.
    /// Calls it at once where nothing can be stored.
    func keep(_ keeping: Conductor.Keeping, of piece: String, then: (@Sendable (Result<Commit, NotKept>) -> Void)? = nil) {
        guard let store else {
            then?(.failure(Self.nowhere))
            return
        }
        var changes: [Change] = []
        if let unreadable = keeping.unreadable, let body = store.memory(piece: piece, household: keeping.household) {
            changes.append(.setAside(piece: piece, household: keeping.household, body: body, reason: "\(unreadable)"))
        }
        if let memory = keeping.memory {
            changes.append(.remember(piece: piece, household: keeping.household, body: Self.text(memory)))
        }
        changes += keeping.ledger.map { .append(LedgerRow(piece: piece, household: keeping.household, $0)) }
        store.commit(changes, then: then)
    }

    /// Returns the stored documents of the piece that `piece` declares, and why nothing can be published, if that is so.
    func documents(of piece: Declaration) -> DocumentBook {
        let refusal: String? = if store == nil {
            "there is no state directory to keep a document in"
        } else if !isKnown {
            "what was published could not be read at the start: nothing is published before the next one"
        } else {
            nil
        }
        return DocumentBook(Publications(piece, versions.filter { $0.piece == piece.name }.map(\.version)), refusal: refusal)
    }

    /// Why receipts of purchases are refused; nil where they are accepted.
    var refusalOfReceipts: String? {
        isKnown ? store?.refusal : "what is kept of households could not be read at the start: no receipt is taken before the next one"
    }

    /// Returns why no action in the piece that `piece` declares can be carried out, in words: another process keeps the households' books.
    /// Returns nil where none does, and for a piece without households.
    func refusal(ofActionsOf piece: Declaration) -> String? {
        guard case .household = piece.policy else { return nil }
        return store?.refusal
    }

    static func text(_ value: JSONValue) -> String { value.written }
}
