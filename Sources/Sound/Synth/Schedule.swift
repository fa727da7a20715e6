import Signals
import Units

/// The timeline's steps in order: past ones as far back as it may be revised, and future ones. Thread: render.
// Safe to send, because the slots belong to this value alone, and it cannot be copied.
struct Schedule: ~Copyable, @unchecked Sendable {
    struct Step: BitwiseCopyable {
        var frame: Frame
        /// The command; nil for the mark of an event, which its commands follow.
        var command: SynthCommand?

        @_noLocks @_noAllocation
        init(_ command: SynthCommand?, at frame: Frame) {
            self.frame = frame
            self.command = command
        }
    }

    static var capacity: Int { @_noLocks @_noAllocation get { 4096 } }

    private let slots: UnsafeMutablePointer<Step>
    /// The numbers of steps ever discarded, ever done (as of the timeline's position) and ever added.
    private var first = 0
    private var done = 0
    private(set) var end = 0

    init() { slots = .allocate(capacity: Self.capacity) }

    deinit { slots.deallocate() }

    var room: Int { @_noLocks @_noAllocation get { Self.capacity - (end - first) } }

    /// Returns a step by its number, which is `end` as it was before the step was added.
    subscript(_ number: Int) -> Step {
        @_noLocks @_noAllocation get { slots[number & (Self.capacity - 1)] }
    }

    /// Adds a step whose frame is not before that of the last one. Returns false when there is no room.
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

    /// Returns the next step to be done, if it is due before `frame`, and its number among all, from 1.
    @_noLocks @_noAllocation
    func next(before frame: Frame) -> (step: Step, number: UInt64)? {
        guard done < end, self[done].frame < frame else { return nil }
        return (self[done], UInt64(done) + 1)
    }

    /// Marks the step that `next` returned as done.
    @_noLocks @_noAllocation
    mutating func advance() { done += 1 }

    /// Has everything from `frame` on done again.
    @_noLocks @_noAllocation
    mutating func rewind(to frame: Frame) {
        while done > first, self[done - 1].frame >= frame { done -= 1 }
    }

    /// Delays steps from `number` on that are due before `frame` to that frame.
    @_noLocks @_noAllocation
    mutating func delay(from number: Int, to frame: Frame) {
        for index in number..<end where self[index].frame < frame {
            slots[index & (Self.capacity - 1)].frame = frame
        }
    }

    /// Discards steps that are done and due before `frame`, to which nobody goes back any more.
    @_noLocks @_noAllocation
    mutating func retire(before frame: Frame) {
        while first < done, self[first].frame < frame { first += 1 }
    }
}
