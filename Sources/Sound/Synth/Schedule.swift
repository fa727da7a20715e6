import Signals
import Units

/// The steps of the timeline in order: past steps, as far back as the timeline may be revised, and future steps. Thread: render.
// Safe to send: the slots belong to this value alone, which cannot be copied.
struct Schedule: ~Copyable, @unchecked Sendable {
    struct Step: BitwiseCopyable {
        var frame: Frame
        /// The command; nil for the mark of an event, which stands before the event's commands.
        var command: SynthCommand?

        @_noLocks @_noAllocation
        init(_ command: SynthCommand?, at frame: Frame) {
            self.frame = frame
            self.command = command
        }
    }

    static var capacity: Int { @_noLocks @_noAllocation get { 4096 } }

    private let slots: UnsafeMutablePointer<Step>
    /// The number of steps that were discarded so far. `done` is the number of steps carried out up to the timeline's position, and `end`
    /// the number of steps ever added.
    private var first = 0
    private var done = 0
    private(set) var end = 0

    init() { slots = .allocate(capacity: Self.capacity) }

    deinit { slots.deallocate() }

    var room: Int { @_noLocks @_noAllocation get { Self.capacity - (end - first) } }

    /// Returns a step by its number: the value that `end` had before that step was added.
    subscript(_ number: Int) -> Step {
        @_noLocks @_noAllocation get { slots[number & (Self.capacity - 1)] }
    }

    /// Adds a step, whose frame must not be before that of the last step. Returns false when there is no room.
    @_noLocks @_noAllocation
    mutating func add(_ step: Step) -> Bool {
        guard room > 0 else { return false }
        slots[end & (Self.capacity - 1)] = step
        end += 1
        return true
    }

    @_noLocks @_noAllocation
    func hasCommands(from number: Int) -> Bool {
        for index in number..<end { if case .some = self[index].command { return true } }
        return false
    }

    /// Returns the next step if it is due before `frame`, and its number among all steps, counted from 1; nil if no step is due before
    /// `frame`.
    @_noLocks @_noAllocation
    func next(before frame: Frame) -> (step: Step, number: UInt64)? {
        guard done < end, self[done].frame < frame else { return nil }
        return (self[done], UInt64(done) + 1)
    }

    /// Marks the step that `next` returned as carried out.
    @_noLocks @_noAllocation
    mutating func advance() { done += 1 }

    /// Marks all steps from `frame` on as not carried out, so that they come again.
    @_noLocks @_noAllocation
    mutating func rewind(to frame: Frame) {
        while done > first, self[done - 1].frame >= frame { done -= 1 }
    }

    /// Moves those steps from `number` on that are due before `frame` to that frame.
    @_noLocks @_noAllocation
    mutating func delay(from number: Int, to frame: Frame) {
        for index in number..<end where self[index].frame < frame {
            slots[index & (Self.capacity - 1)].frame = frame
        }
    }

    /// Discards the steps before `frame` that have been carried out. The timeline must not go back further any more.
    @_noLocks @_noAllocation
    mutating func retire(before frame: Frame) {
        while first < done, self[first].frame < frame { first += 1 }
    }
}
