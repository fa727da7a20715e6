import Experience
import Fields
import Journal
import Signals
import Units

extension Conductor {
    /// The receivers of the conductor's results. They are called in order, on the owner's thread.
    public struct Ports {
        public var journal: (JournalEntry) -> Void
        /// Takes each batch of commands. The owner calls `placed` for every batch, in order.
        public var synth: (CommandBatch) -> Void
        /// Takes haptic patterns, textures and stops, with the frame of the output at which their sound is heard.
        public var haptic: (Cue, Frame) -> Void
        /// Takes announcements for subscribers.
        public var tell: (Announcement) -> Void
        /// Takes every cue, for subscribers.
        public var watch: (Cue) -> Void
        /// Takes the name of a household that has just become the present one, before any announcement about it.
        public var entered: (String) -> Void
        /// Takes changes that must be stored, because they outlast the process.
        public var keep: (Keeping) -> Void
        /// Returns the stored memory of a household, by its name; nil when none is stored.
        public var recall: (String) -> JSONValue?
        /// Returns the number of households of which something is stored.
        public var householdCount: () -> Int
        /// Returns the moment at which a frame of the output is heard, by CLOCK_MONOTONIC in nanoseconds; nil where there is no clock.
        public var moment: ((Frame) -> Int64)?

        public init(journal: @escaping (JournalEntry) -> Void, synth: @escaping (CommandBatch) -> Void,
                    haptic: @escaping (Cue, Frame) -> Void, tell: @escaping (Announcement) -> Void,
                    watch: @escaping (Cue) -> Void = { _ in }, entered: @escaping (String) -> Void = { _ in },
                    keep: @escaping (Keeping) -> Void = { _ in }, recall: @escaping (String) -> JSONValue? = { _ in nil },
                    householdCount: @escaping () -> Int = { 0 }, moment: ((Frame) -> Int64)? = nil) {
            self.journal = journal
            self.synth = synth
            self.haptic = haptic
            self.tell = tell
            self.watch = watch
            self.entered = entered
            self.keep = keep
            self.recall = recall
            self.householdCount = householdCount
            self.moment = moment
        }
    }

    /// Changes that must be stored together or not at all.
    public struct Keeping: Equatable, Sendable {
        /// The household whose changes these are.
        public var household: String
        /// The piece's new memory; nil where it has not changed.
        public var memory: JSONValue?
        public var ledger: [LedgerEntry]
        /// The ticket of an event whose answer waits until the changes are stored; nil if no answer waits.
        public var ticket: Int?
        /// The reason why the piece cannot read the household's stored memory, which must then be set aside; nil when it can read it.
        public var unreadable: Fault?

        public init(household: String = Household.home, memory: JSONValue?, ledger: [LedgerEntry] = [], ticket: Int? = nil,
                    unreadable: Fault? = nil) {
            self.household = household
            self.memory = memory
            self.ledger = ledger
            self.ticket = ticket
            self.unreadable = unreadable
        }
    }

    /// The outcome of an event.
    public struct Placement: Equatable, Sendable {
        /// The ticket that the caller passed to `handle` or `end`; nil when it passed none.
        public var ticket: Int?
        /// The frame of the run at which the event took effect.
        public var position: Frame
        /// How much later than its deadline the event took effect, in frames.
        public var lateness: FrameCount
        /// The piece's answer to the event; nil when it gave none.
        public var result: JSONValue?

        public init(ticket: Int?, position: Frame, lateness: FrameCount, result: JSONValue? = nil) {
            self.ticket = ticket
            self.position = position
            self.lateness = lateness
            self.result = result
        }
    }
}
