import Signals
import Units

/// One sounding note: partials with an attack, a decay and a fade at the end.
///
/// Everything is a function of the note's age, and is computed in groups of eight frames. A group begins at an age that is a multiple of
/// eight. Where a block ends within a group, that group is computed twice, and each time only the needed frames are used.
struct Note {
    private(set) var isActive = false
    /// The note's number, counted over all notes; the oldest note has the smallest.
    private(set) var order: UInt64 = 0
    /// The note's age in frames; negative while the note waits for its start.
    private var age = 0
    private var attack = 0
    private var fadeStart = 0
    private var fadeLength = 1
    /// The decay at the start of the current group. `decayPerGroup` is the factor by which it changes from group to group, and `laneDecay`
    /// has the factors for the frames within a group.
    private var groupDecay = 1.0
    private var decayPerGroup = 1.0
    private var laneDecay = SIMD8<Float>(repeating: 1)
    private var partialCount = 0
    private var increments = InlineArray<8, UInt32>(repeating: 0)
    private var magnitudes = InlineArray<8, Float>(repeating: 0)
    /// The duration of the glide (the change of pitch) in frames; 0 for a note whose pitch does not change.
    private var glideLength = 0
    /// The size of the glide: the pitch at its end minus the pitch at its beginning, divided by the latter. Above 0 the pitch rises.
    private var bend = 0.0
    /// The number of the command that started the note; 0 if the note's samples are not to be stored.
    private var number: UInt64 = 0

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    mutating func strike(_ command: NoteCommand, number: UInt64, order: UInt64, rate: SampleRate) {
        isActive = true
        self.number = number
        self.order = order
        age = -Int(rate.frames(in: command.start).rawValue)
        attack = max(1, Int(rate.frames(in: command.attack).rawValue))
        let decayFrames = max(1, Double(rate.frames(in: command.decay).rawValue))
        // 60 dB is a factor of 1000, and log2(1000) = 9.9657842846621.
        let octavesPerFrame = -9.965784284662087 / decayFrames
        groupDecay = 1
        decayPerGroup = exp2(8 * octavesPerFrame)
        for lane in 0..<8 { laneDecay[lane] = Float(exp2(Double(lane) * octavesPerFrame)) }
        fadeLength = fadeFrames(rate)
        // The note ends where it has fallen to −110 dBFS, far below the lowest of 16 bits. It ends with a fade of 5 ms.
        fadeStart = attack + Int(decayFrames * max(0, 110 + min(0, command.level.rawValue)) / 60)
        partialCount = max(0, min(command.partialCount, command.partials.count))
        for index in 0..<partialCount {
            let partial = command.partials[index]
            let frequency = command.frequency.rawValue * partial.ratio
            // A partial at or above half the sample rate would be aliased, so it is left out.
            let audible = frequency > 0 && frequency < Double(rate.hertz) / 2
            let level = command.level.rawValue + partial.level.rawValue
            increments[index] = audible ? rate.phaseIncrement(Hertz(frequency)) : 0
            magnitudes[index] = audible && level > -200 ? min(1, Decibels(level).magnitude.rawValue) : 0
        }
        glideLength = 0
        if let glide = command.glide, command.frequency.rawValue > 0 {
            glideLength = max(1, Int(rate.frames(in: glide.time).rawValue))
            bend = glide.to.rawValue / command.frequency.rawValue - 1
        }
    }

    /// Whether the note is neither fading out nor over. Only such notes count against the limit of notes.
    var isHeld: Bool {
        @_noLocks @_noAllocation get { isActive && age < fadeStart }
    }

    /// Fades the note out within `frames`. A note that still waits for its start ends at once.
    @_noLocks @_noAllocation
    mutating func fade(in frames: Int) {
        if age < 0 {
            isActive = false
        } else if age < fadeStart {
            fadeStart = age
            fadeLength = max(1, frames)
        }
    }

    /// Adds `count` frames to `out`, from `start` on. Samples that `kept` has for the note in slot `slot` are read from there; other
    /// samples are computed, and stored there.
    @_noLocks @_noAllocation
    mutating func add(to out: inout MutableSpan<Float>, at start: Int, count: Int, slot: Int, _ kept: KeptNotes?) {
        var done = 0
        if age < 0 {
            done = min(count, -age)
            age += done
        }
        // Samples of the fade are not stored, because the fade may begin earlier after a revision.
        let end = min(age + count - done, fadeStart & ~7)
        if number > 0, let known = kept?.add(number, in: slot, from: age, to: end, on: &out, at: start + done) {
            age += known.count
            done += known.count
            groupDecay = known.decay
        }
        if done == count { return }
        let kept = number > 0 ? kept : nil
        if glideLength == 0 {
            add(to: &out, at: start + done, count: count - done, slot: slot, kept, isGliding: false)
        } else {
            addGliding(to: &out, at: start + done, count: count - done, slot: slot, kept)
        }
    }

    /// Adds a note that glides. This is a separate function, so that notes without a glide stay fast.
    @inline(never) @_noLocks @_noAllocation
    private mutating func addGliding(to out: inout MutableSpan<Float>, at start: Int, count: Int, slot: Int, _ kept: KeptNotes?) {
        add(to: &out, at: start, count: count, slot: slot, kept, isGliding: true)
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func add(to out: inout MutableSpan<Float>, at start: Int, count: Int, slot: Int, _ kept: KeptNotes?,
                              isGliding: Bool) {
        var done = 0
        // The phases of the partials in the current group. From group to group the increment is added, because a multiplication costs much
        // more.
        var phases = InlineArray<8, SIMD8<UInt32>>(repeating: SIMD8(repeating: 0))
        if !isGliding {
            let turns = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &+ UInt32(truncatingIfNeeded: age & ~7)
            for index in 0..<partialCount { phases[index] = turns &* increments[index] }
        }
        while done < count {
            let first = age & 7
            let lanes = min(8 - first, count - done)
            let samples = group(from: age - first, &phases, isGliding: isGliding)
            if let kept, age - first + 8 <= fadeStart {
                kept.keep(number, in: slot, group: age >> 3, samples, decay: groupDecay, next: groupDecay * decayPerGroup)
            }
            if lanes == 8 {
                for lane in 0..<8 { out[unchecked: start &+ done &+ lane] += samples[lane] }
            } else {
                for lane in 0..<lanes { out[unchecked: start &+ done &+ lane] += samples[first &+ lane] }
            }
            age += lanes
            done += lanes
            if age & 7 == 0 {
                groupDecay *= decayPerGroup
                if !isGliding {
                    for index in 0..<partialCount { phases[index] &+= increments[index] &* 8 }
                }
            }
            if age >= fadeStart + fadeLength {
                isActive = false
                return
            }
        }
    }

    /// Returns the eight samples from age `base` on, which is a multiple of eight. `phases` are the phases of partials without a glide.
    /// They are `inout` only because they would otherwise be copied in each call.
    @inline(__always) @_noLocks @_noAllocation
    private func group(from base: Int, _ phases: inout InlineArray<8, SIMD8<UInt32>>, isGliding: Bool) -> SIMD8<Float> {
        var sum = SIMD8<Float>(repeating: 0)
        for index in 0..<partialCount {
            sum += sine(isGliding ? glidingPhases(base, Double(increments[index])) : phases[index]) * magnitudes[index]
        }
        var envelope = laneDecay * Float(groupDecay)
        if base < attack {
            let step = laneOffsets &+ Int32(truncatingIfNeeded: base + 1)
            let rise = raisedCosine(floats(step) * (1 / Float(attack)))
            envelope *= rise.replacing(with: 1, where: step .>= Int32(truncatingIfNeeded: attack))
        }
        if base + 8 > fadeStart {
            let step = laneOffsets &+ Int32(truncatingIfNeeded: base + 1 - fadeStart)
            let left = SIMD8<Float>(repeating: 1) - floats(step) * (1 / Float(fadeLength))
            var fall = raisedCosine(left.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1)))
            fall = fall.replacing(with: 1, where: step .<= 0)
            envelope *= fall.replacing(with: 0, where: step .>= Int32(truncatingIfNeeded: fadeLength))
        }
        return sum * envelope
    }

    /// Returns the phases of a gliding partial whose first frequency is `increment` 2⁻³² turns a frame. The frequency changes linearly for
    /// `glideLength` frames, and then stays. So the turns that the glide adds grow at first with the square of the age, and then with the
    /// age.
    @_noLocks @_noAllocation
    private func glidingPhases(_ base: Int, _ increment: Double) -> SIMD8<UInt32> {
        let length = Double(glideLength)
        var phases = SIMD8<UInt32>(repeating: 0)
        for lane in 0..<8 {
            let age = Double(base + lane)
            let bent = age < length ? age * age / (2 * length) : age - length / 2
            phases[lane] = UInt32(truncatingIfNeeded: Int64(increment * (age + bend * bent)))
        }
        return phases
    }
}

/// Returns the number of frames in 5 ms, the shortest fade that is not heard as a click.
@_noLocks @_noAllocation
func fadeFrames(_ rate: SampleRate) -> Int { max(1, Int(rate.frames(in: .milliseconds(5)).rawValue)) }

/// All notes: up to 32 that sound or wait for their start, and up to 16 more that fade out to make room.
struct Notes {
    static var limit: Int { @_noLocks @_noAllocation get { 32 } }
    static var slots: Int { 48 }

    private let rate: SampleRate
    private var notes = InlineArray<48, Note>(repeating: Note())
    private var active = 0
    private var struck: UInt64 = 0
    /// The number of notes that were faded out early, because a 33rd note came.
    private(set) var stolen: UInt64 = 0
    /// The number of notes that never began, because no slot was free: too many notes were still fading out.
    private(set) var refused: UInt64 = 0

    @_noLocks @_noAllocation
    init(rate: SampleRate) { self.rate = rate }

    @_noLocks @_noAllocation
    mutating func strike(_ command: NoteCommand, number: UInt64) {
        struck += 1
        var held = 0
        var oldest = -1
        var free = -1
        for index in notes.indices {
            if !notes[index].isActive {
                free = index
            } else if notes[index].isHeld {
                held += 1
                if oldest < 0 || notes[index].order < notes[oldest].order { oldest = index }
            }
        }
        // If no slot is free, the new note cannot begin, so cutting the oldest note off would gain nothing.
        guard free >= 0 else {
            refused += 1
            return
        }
        if held >= Self.limit {
            fade(oldest, in: fadeFrames(rate))
            stolen += 1
        }
        active += 1
        notes[free].strike(command, number: number, order: struck, rate: rate)
    }

    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        for index in notes.indices where notes[index].isActive { fade(index, in: frames) }
    }

    @_noLocks @_noAllocation
    private mutating func fade(_ index: Int, in frames: Int) {
        notes[index].fade(in: frames)
        if !notes[index].isActive { active -= 1 }
    }

    /// Whether no note sounds or waits for its start.
    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds `count` frames of all notes to `out`, from `start` on.
    @_noLocks @_noAllocation
    mutating func add(to out: inout MutableSpan<Float>, at start: Int, count: Int, _ kept: KeptNotes?) {
        guard active > 0 else { return }
        for index in notes.indices where notes[index].isActive {
            notes[index].add(to: &out, at: start, count: count, slot: index, kept)
            if !notes[index].isActive { active -= 1 }
        }
    }
}
