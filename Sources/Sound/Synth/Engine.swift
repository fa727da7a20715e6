import Signals
import Units

/// The whole synthesizer as one plain value; a copy of it renders the same samples. Samples are Float32. There is one channel for the
/// sound. With a transducer there is a second one for it, and both are interleaved.
///
/// Thread: the owner's, and no other. `apply` and `render` are safe in a real-time thread.
public struct Engine: Sendable {
    /// The number of frames from a command to the first sample that it changes, which is the limiter's look-ahead.
    public var latency: FrameCount { @_noLocks @_noAllocation get { FrameCount(Int64(limiter.latency)) } }
    public let settings: EngineSettings

    private var tone: Tone
    private var notes: Notes
    private var textures: TextureVoices
    private var speech: Speech
    private var limiter: Limiter
    private var mute = Gain()
    private var volume = Gain()
    /// The number of frames in which mute and volume change while no frame has been rendered yet; nil from the first frame on. It is 0 in a
    /// new engine, so that they jump. After a reset during speech it is the usual number for a mute, so that they do not.
    private var firstMove: Int? = 0
    /// The voices of haptic patterns with sounds; `touches` has the voices of patterns on the transducer.
    private var sounds: WaveformVoices
    private var touches: WaveformVoices
    /// The samples in the limiter's delay (1 ms, at 192 kHz 192 frames), and behind them the chunk that is being rendered.
    private var line = InlineArray<448, Float>(repeating: 0)
    /// The number of frames for which nothing has sounded, counted no further than the limiter's latency.
    private var quiet = 0
    /// The vibration of textures, delayed by as much as the limiter delays the sound.
    private var feltDelay = InlineArray<192, Float>(repeating: 0)

    private static var muteTime: Seconds { @_noLocks @_noAllocation get { .milliseconds(20) } }
    private static var chunk: Int { @_noLocks @_noAllocation get { 256 } }

    @_noLocks @_noAllocation
    public init(_ settings: EngineSettings) {
        self.settings = settings
        tone = Tone(rate: settings.rate, fade: settings.toneFade, partials: settings.tonePartials)
        notes = Notes(rate: settings.rate)
        textures = TextureVoices(rate: settings.rate)
        speech = Speech(settings.speech, rate: settings.rate)
        limiter = Limiter(rate: settings.rate, ceiling: settings.ceiling)
        sounds = WaveformVoices(settings.sounds, rate: settings.rate, delay: 0)
        // The limiter only acts on the sound. Its delay is made up for here, so that vibration and sound stay together.
        touches = WaveformVoices(settings.touches, rate: settings.rate, delay: limiter.latency)
    }

    /// Counters of events that should be rare.
    public var counters: EngineCounters {
        @_noLocks @_noAllocation get {
            var counters = EngineCounters()
            (counters.stolenNotes, counters.refusedNotes, counters.limitedFrames) = (notes.stolen, notes.refused, limiter.limited)
            (counters.refusedPatterns, counters.refusedTextures) = (max(sounds.refused, touches.refused), textures.refused)
            return counters
        }
    }

    /// Applies a command from the next rendered frame on. Values out of range are clamped; nothing fails.
    @_noLocks @_noAllocation
    public mutating func apply(_ command: SynthCommand) { apply(command, number: 0) }

    /// Applies a command. `number` identifies the command; with 0, the samples of the note that it begins are not stored.
    @_noLocks @_noAllocation
    mutating func apply(_ command: SynthCommand, number: UInt64) {
        switch command {
        case .reset(let ceiling):
            var settings = settings
            settings.ceiling = ceiling
            settings.tonePartials = TonePartials()
            guard !speech.isOver else { return self = Engine(settings) }
            let (speech, line, limiter, mute, volume) = (speech, line, limiter, mute, volume)
            self = Engine(settings)
            // Speech is the house's, not the session's. It goes on without a click, so the limiter keeps its delay, and mute, volume and
            // ceiling move to what the new session begins with.
            (self.speech, self.line, self.limiter, self.mute, self.volume) = (speech, line, limiter, mute, volume)
            self.limiter.setCeiling(ceiling)
            firstMove = muteFrames
            self.mute.head(for: 1, in: muteFrames)
            self.volume.head(for: 1, in: muteFrames)
        case .gate(open: true): tone.open()
        case .gate(open: false): tone.close()
        case .pitch(let frequency, let glide): tone.setPitch(frequency, glide: glide)
        case .level(let level): tone.setLevel(level)
        case .note(let note): notes.strike(note, number: number)
        case .texture(let shape, let id): textures.begin(shape, id: id)
        case .endTexture(let id): textures.end(id: id)
        case .haptic(let number):
            sounds.play(number)
            touches.play(number)
        case .mute(let on): mute.head(for: on ? 0 : 1, in: firstMove ?? muteFrames)
        case .volume(let level, let fade):
            let magnitude = level > .silence ? min(1, level.magnitude.rawValue) : 0
            volume.head(for: magnitude, in: firstMove ?? Int(settings.rate.frames(in: fade).rawValue))
        case .toneFade(let fade): tone.setFade(fade)
        case .tonePartials(let partials): tone.setPartials(partials)
        case .ceiling(let level): limiter.setCeiling(level)
        case .speak(let from, let frames): speech.speak(from: from, frames: frames)
        case .hush: speech.hush()
        case .stop:
            let frames = Int(settings.rate.frames(in: .stopTime).rawValue)
            tone.stop(in: frames)
            notes.stop(in: frames)
            textures.stop(in: frames)
            sounds.stop()
            touches.stop()
            speech.hush()
        }
    }

    private var muteFrames: Int { @_noLocks @_noAllocation get { Int(settings.rate.frames(in: Self.muteTime).rawValue) } }

    /// Writes the next `count` frames to `out`, from frame `start` on. No sample of the sound's channel exceeds the ceiling.
    @_noLocks @_noAllocation
    public mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        render(into: &out, at: start, count: count, nil)
    }

    /// Renders the next frames as `render(into:at:count:)` does. `kept` has samples of notes that were computed before. It only saves
    /// work: the samples are the same without it.
    @_noLocks @_noAllocation
    mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int, _ kept: KeptNotes?) {
        let channels = settings.channels
        precondition(start >= 0 && count >= 0 && (start + count) * channels <= out.count, "the frames must fit the span")
        let latency = limiter.latency
        if count > 0 { firstMove = nil }
        var done = 0
        while done < count {
            var frames = min(Self.chunk, count - done)
            let place = (start + done) * channels
            let isSilent = tone.isSilent && notes.areOver && textures.areOver && sounds.areOver && speech.isOver
            if channels > 1 {
                var felt = InlineArray<256, Float>(repeating: 0)
                var feltSpan = felt.mutableSpan
                renderSound(into: &out, at: place, stride: channels, count: frames, kept, felt: &feltSpan, isFelt: true)
                renderTouches(felt, into: &out, at: place + 1, stride: channels, count: frames)
            } else if isSilent, quiet >= latency, limiter.passesSilence {
                frames = count - done
                renderSilence(into: &out, at: place, count: frames)
            } else {
                var nothing = MutableSpan<Float>()
                renderSound(into: &out, at: place, stride: 1, count: frames, kept, felt: &nothing, isFelt: false)
            }
            quiet = isSilent ? min(latency, quiet + frames) : 0
            done += frames
        }
    }

    /// Renders the sound's channel for at most one chunk (256 frames).
    @inline(__always) @_noLocks @_noAllocation @_lifetime(out: copy out) @_lifetime(felt: copy felt)
    private mutating func renderSound(into out: inout MutableSpan<Float>, at start: Int, stride: Int, count: Int, _ kept: KeptNotes?,
                                      felt: inout MutableSpan<Float>, isFelt: Bool) {
        let latency = limiter.latency
        // A span of a local copy, because one of the property would bar access to the others in Swift 6.2.
        var line = line
        var span = line.mutableSpan
        tone.render(into: &span, at: latency, count: count)
        notes.add(to: &span, at: latency, count: count, kept)
        textures.add(to: &span, at: latency, count: count, felt: &felt, isFelt: isFelt)
        sounds.add(to: &span, at: latency, stride: 1, count: count)
        speech.mix(into: &span, at: latency, count: count)
        mute.apply(to: &span, at: latency, count: count)
        volume.apply(to: &span, at: latency, count: count)
        limiter.process(&span, count: count, into: &out, at: start, stride: stride)
        self.line = line
    }

    /// Writes what `renderSound` would write when nothing sounds and the limiter's delay is empty.
    @_noLocks @_noAllocation
    private mutating func renderSilence(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        for index in start..<(start + count) { out[unchecked: index] = 0 }
        tone.rest(count)
        mute.advance(count)
        volume.advance(count)
    }

    /// Renders the transducer's channel. The ceiling protects ears, so it does not apply here. Where patterns add up to more than full
    /// scale, they are clipped: a smooth limiter would not make them feel better.
    @_noLocks @_noAllocation
    private mutating func renderTouches(_ felt: InlineArray<256, Float>, into out: inout MutableSpan<Float>, at start: Int, stride: Int,
                                         count: Int) {
        let latency = limiter.latency
        for frame in 0..<count { out[start &+ frame &* stride] = frame < latency ? feltDelay[frame] : felt[frame - latency] }
        for frame in 0..<latency { feltDelay[frame] = frame + count < latency ? feltDelay[frame + count] : felt[frame + count - latency] }
        touches.add(to: &out, at: start, stride: stride, count: count)
        for frame in 0..<count {
            let place = start &+ frame &* stride
            out[place] = max(-1, min(1, out[place]))
        }
    }
}

/// The settings with which an engine is created.
public struct EngineSettings: Sendable, Equatable, BitwiseCopyable {
    public var rate: SampleRate
    /// The duration of the tone's fade-in and of its fade-out.
    public var toneFade: Seconds
    /// The tone's partials, until a command changes them.
    public var tonePartials: TonePartials
    /// The level that no sample exceeds, at most 0 dBFS.
    public var ceiling: Decibels
    /// The waveforms of the sounds in haptic patterns, by the patterns' numbers; nil for an engine without a bank of waveforms.
    public var sounds: Waveforms?
    /// The waveforms of haptic patterns for a transducer, by the patterns' numbers; nil without a transducer.
    public var touches: Waveforms?
    /// The samples for speech; nil for an engine that never speaks.
    public var speech: SpokenSound.View?

    public init(rate: SampleRate = .standard, toneFade: Seconds = .milliseconds(5), tonePartials: TonePartials = TonePartials(),
                ceiling: Decibels = Decibels(-1), bank: WaveformBank? = nil, speech: SpokenSound? = nil) {
        self.rate = rate
        self.toneFade = toneFade
        self.tonePartials = tonePartials
        self.ceiling = ceiling
        sounds = bank?.sounds
        touches = bank?.touches
        self.speech = speech?.view
    }

    /// Creates settings from a theme. An engine with these settings must not outlive `bank` and `speech`.
    public init(_ theme: Theme, rate: SampleRate, bank: WaveformBank? = nil, speech: SpokenSound? = nil) {
        self.init(rate: rate, toneFade: theme.toneFade, tonePartials: TonePartials(theme.tonePartials), ceiling: theme.ceiling, bank: bank,
                  speech: speech)
    }

    /// The number of interleaved channels: one for the sound, and one for the transducer if there is one.
    public var channels: Int { @_noLocks @_noAllocation get { if case .some = touches { 2 } else { 1 } } }
}
