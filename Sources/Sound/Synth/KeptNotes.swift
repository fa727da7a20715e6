import Units

/// Stores samples of notes that have been computed. When audio is revised, most of the sounding notes do not change, and are read from
/// here.
///
/// Before its final fade, a note depends only on its command and its age. So its samples are stored by the note's number and the age, in
/// groups of eight frames. For each note, the newest groups are kept.
///
/// Thread: render. A value must not be used after its `KeptNotesMemory` has gone.
struct KeptNotes {
    fileprivate struct Row {
        /// The number of the note; 0 for an empty row.
        var number: UInt64 = 0
        /// The stored groups are `first`..<`end`. Of group `end`, only the decay is stored.
        var first = 0
        var end = 0
    }

    fileprivate let rows: UnsafeMutablePointer<Row>
    fileprivate let samples: UnsafeMutablePointer<Float>
    /// The note's decay at the beginning of each group.
    fileprivate let decays: UnsafeMutablePointer<Double>
    /// The number of groups that each row has room for.
    fileprivate let capacity: Int

    /// Adds stored samples of the note `number`, which row `slot` holds, to `out` from `start` on: the samples from the age `age` up to the
    /// age `end`, or up to the first one that is not stored. Returns the number of added samples, and the note's decay at the beginning of
    /// the group with the next sample; nil if the sample at `age` is not stored.
    @inline(__always) @_noLocks @_noAllocation
    func add(_ number: UInt64, in slot: Int, from age: Int, to end: Int, on out: inout MutableSpan<Float>, at start: Int)
        -> (count: Int, decay: Double)? {
        let row = rows[slot]
        let end = min(end, row.end &* 8)
        guard row.number == number, age >= row.first &* 8, age < end else { return nil }
        let frames = capacity &* 8
        var offset = age % frames
        var done = 0
        while done < end &- age {
            let count = min(end &- age &- done, frames &- offset)
            let kept = samples + (slot &* frames &+ offset)
            for index in 0..<count { out[unchecked: start &+ done &+ index] += kept[index] }
            done += count
            offset = 0
        }
        return (done, decays[slot &* capacity &+ (end >> 3) % capacity])
    }

    /// Stores `values`, the samples of a group of the note `number`, in row `slot`. `decay` is the note's decay at the beginning of the
    /// group, `next` the decay at its end.
    @inline(__always) @_noLocks @_noAllocation
    func keep(_ number: UInt64, in slot: Int, group: Int, _ values: SIMD8<Float>, decay: Double, next: Double) {
        if rows[slot].number != number || rows[slot].end != group {
            rows[slot] = Row(number: number, first: group, end: group)
            decays[slot &* capacity &+ group % capacity] = decay
        }
        // The decay at the end of the newest group takes up the place of one group.
        rows[slot].end = group &+ 1
        rows[slot].first = max(rows[slot].first, group &+ 2 &- capacity)
        let destination = samples + (slot &* capacity &+ group % capacity) &* 8
        for lane in 0..<8 { destination[lane] = values[lane] }
        decays[slot &* capacity &+ (group &+ 1) % capacity] = next
    }
}

/// Owns the memory of a `KeptNotes`.
// Safe to send: the memory belongs to this value alone, which cannot be copied.
struct KeptNotesMemory: ~Copyable, @unchecked Sendable {
    let notes: KeptNotes

    /// Allocates room for `count` notes, and of each note for samples of the length `reach`.
    init(rate: SampleRate, reach: Seconds, count: Int) {
        let capacity = Int(rate.frames(in: reach).rawValue) / 8 + 2
        notes = KeptNotes(rows: .allocate(capacity: count), samples: .allocate(capacity: count * capacity * 8),
                          decays: .allocate(capacity: count * capacity), capacity: capacity)
        // The memory is written to now, so that the render thread need not wait for the kernel to provide its pages.
        notes.rows.initialize(repeating: KeptNotes.Row(), count: count)
        notes.samples.initialize(repeating: 0, count: count * capacity * 8)
        notes.decays.initialize(repeating: 0, count: count * capacity)
    }

    deinit {
        notes.rows.deallocate()
        notes.samples.deallocate()
        notes.decays.deallocate()
    }
}
