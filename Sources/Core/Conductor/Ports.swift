import Experience
import Fields
import Journal
import Signals
import Units

extension Conductor {
    /// Where the conductor's results go. Called in order, on the owner's thread.
    public struct Ports {
        public var journal: (JournalEntry) -> Void
        /// For every batch, in order, the owner calls `placed`.
        public var synth: (CommandBatch) -> Void
        /// Haptic patterns, textures and stops, with the frame of the output at which their sound is heard.
        public var haptic: (Cue, Frame) -> Void
        /// Announcements for subscribers.
        public var tell: (Announcement) -> Void
        /// Every cue, for subscribers.
        public var watch: (Cue) -> Void
        /// Another household is there from now on, before anything of it is told.
        public var entered: (String) -> Void
        /// What must outlast the process.
        public var keep: (Keeping) -> Void
        /// What was kept last of a household, by its name; nil when nothing was.
        public var recall: (String) -> JSONValue?
        /// Of how many households something is kept.
        public var householdCount: () -> Int
        /// When a frame of the output is heard, by CLOCK_MONOTONIC in nanoseconds; nil where there is no clock.
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

    /// What must be kept together or not at all.
    public struct Keeping: Equatable, Sendable {
        /// Whose it is.
        public var household: String
        /// What the piece remembers now; nil where that is as it was.
        public var memory: JSONValue?
        public var ledger: [LedgerEntry]
        /// Of the event whose answer waits for it; nil when none does.
        public var ticket: Int?
        /// Why the piece cannot read what was kept of the household before, which is to be set aside; nil when it is well.
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

    /// What became of an event.
    public struct Placement: Equatable, Sendable {
        /// Who asked, as `handle` was told.
        public var ticket: Int?
        /// The run's frame it took effect at.
        public var position: Frame
        /// By how much that is later than its deadline.
        public var lateness: FrameCount
        /// What the piece answers.
        public var result: JSONValue?

        public init(ticket: Int?, position: Frame, lateness: FrameCount, result: JSONValue? = nil) {
            self.ticket = ticket
            self.position = position
            self.lateness = lateness
            self.result = result
        }
    }
}
