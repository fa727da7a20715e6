import Units

/// The computed samples of notes. A revision changes few of the notes that sound, and reads the others here.
///
/// Before its fade a note is a function of its command and its age alone. So its samples are kept by its number and its age, in groups of
/// eight frames; the newest groups of each note are kept.
///
/// Thread: render. Valid as long as its `KeptNotesMemory` lives.
struct KeptNotes {
    fileprivate struct Row {
        /// The note's number; 0 for none.
        var number: UInt64 = 0
        /// The kept groups, from `first` up to `end`. Of group `end` only the decay is kept.
        var first = 0
        var end = 0
    }

    fileprivate let rows: UnsafeMutablePointer<Row>
    fileprivate let samples: UnsafeMutablePointer<Float>
    /// The decay at the beginning of each group.
    fileprivate let decays: UnsafeMutablePointer<Double>
    /// The number of groups in each row.
    fileprivate let capacity: Int

    /// Adds the kept frames of note `number` to `out` from `start` on: those from `age` up to `end`, as far as they are kept without a gap.
    /// Returns their number, and the decay of the group that has the next frame.
    @inline(__always) @_noLocks @_noAllocation
    func add(_ number: UInt64, in slot: Int, from age: Int, to end: Int, on out: inout MutableSpan<Float>, at start: Int)
        -> (count: Int, decay: Double)? {
        let row = rows[slot]
        let end = min(end, row.end &* 8)
        guard row.number == number, age >= row.first &* 8, age < end else { return nil }
        let frames = capacity &* 8
        var place = age % frames
        var done = 0
        while done < end &- age {
            let count = min(end &- age &- done, frames &- place)
            let kept = samples + (slot &* frames &+ place)
            for index in 0..<count { out[unchecked: start &+ done &+ index] += kept[index] }
            done += count
            place = 0
        }
        return (done, decays[slot &* capacity &+ (end >> 3) % capacity])
    }

    /// Keeps the samples of a group, and the decay at its beginning and at its end.
    @inline(__always) @_noLocks @_noAllocation
    func keep(_ number: UInt64, in slot: Int, group: Int, _ values: SIMD8<Float>, decay: Double, next: Double) {
        if rows[slot].number != number || rows[slot].end != group {
            rows[slot] = Row(number: number, first: group, end: group)
            decays[slot &* capacity &+ group % capacity] = decay
        }
        // The decay at the end takes the place of a group.
        rows[slot].end = group &+ 1
        rows[slot].first = max(rows[slot].first, group &+ 2 &- capacity)
        let place = samples + (slot &* capacity &+ group % capacity) &* 8
        for lane in 0..<8 { place[lane] = values[lane] }
        decays[slot &* capacity &+ (group &+ 1) % capacity] = next
    }
}

/// The memory of `KeptNotes`.
// Safe to send, because the memory belongs to this value alone, and it cannot be copied.
struct KeptNotesMemory: ~Copyable, @unchecked Sendable {
    let notes: KeptNotes

    /// Allocates room for `reach` of each of `count` notes.
    init(rate: SampleRate, reach: Seconds, count: Int) {
        let capacity = Int(rate.frames(in: reach).rawValue) / 8 + 2
        notes = KeptNotes(rows: .allocate(capacity: count), samples: .allocate(capacity: count * capacity * 8),
                          decays: .allocate(capacity: count * capacity), capacity: capacity)
        // Written to now, so that the render thread need not wait for pages.
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
