import Signals
import Units

/// The whole synthesizer as one plain value: a copy of it renders the same samples. Samples are Float32. There is one channel, or with a
/// transducer two interleaved, the sound's and the transducer's.
///
/// Thread: the owner of the value; `apply` and `render` are safe in a real-time thread.
public struct Engine: Sendable {
    /// The frames from a command to its first sample, which are the limiter's look-ahead.
    public var latency: FrameCount { @_noLocks @_noAllocation get { FrameCount(Int64(limiter.latency)) } }
    public let settings: EngineSettings

    private var tone: Tone
    private var notes: Notes
    private var textures: TextureVoices
    private var limiter: Limiter
    private var mute = Gain()
    private var volume = Gain()
    /// Whether no frame has been rendered yet.
    private var isNew = true
    /// The voices of haptic patterns that are heard, and of those that are felt.
    private var sounds: WaveformVoices
    private var touches: WaveformVoices
    /// The limiter's delay, at most 1 ms at 192 kHz, and behind it the chunk being rendered.
    private var line = InlineArray<448, Float>(repeating: 0)
    /// The number of frames for which nothing has sounded, at most the limiter's latency.
    private var quiet = 0
    /// The vibration of textures, delayed as the sound is.
    private var feltDelay = InlineArray<192, Float>(repeating: 0)

    private static var muteTime: Seconds { @_noLocks @_noAllocation get { .milliseconds(20) } }
    private static var chunk: Int { @_noLocks @_noAllocation get { 256 } }

    @_noLocks @_noAllocation
    public init(_ settings: EngineSettings) {
        self.settings = settings
        tone = Tone(rate: settings.rate, fade: settings.toneFade, partials: settings.tonePartials)
        notes = Notes(rate: settings.rate)
        textures = TextureVoices(rate: settings.rate)
        limiter = Limiter(rate: settings.rate, ceiling: settings.ceiling)
        sounds = WaveformVoices(settings.sounds, rate: settings.rate, delay: 0)
        // The limiter is for ears, and its look-ahead is made up for here.
        touches = WaveformVoices(settings.touches, rate: settings.rate, delay: limiter.latency)
    }

    /// Counts events that should be rare.
    public var counters: EngineCounters {
        @_noLocks @_noAllocation get {
            var counters = EngineCounters()
            (counters.stolenNotes, counters.refusedNotes, counters.limitedFrames) = (notes.stolen, notes.refused, limiter.limited)
            (counters.refusedPatterns, counters.refusedTextures) = (max(sounds.refused, touches.refused), textures.refused)
            return counters
        }
    }

    /// Applies a command to the next frame rendered. Values out of range are clamped; nothing fails.
    @_noLocks @_noAllocation
    public mutating func apply(_ command: SynthCommand) { apply(command, number: 0) }

    /// Applies a command. `number` tells it from all others; 0 if the samples of what it begins are not to be kept.
    @_noLocks @_noAllocation
    mutating func apply(_ command: SynthCommand, number: UInt64) {
        switch command {
        case .reset(let ceiling):
            var settings = settings
            settings.ceiling = ceiling
            settings.tonePartials = TonePartials()
            self = Engine(settings)
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
        case .mute(let on): mute.head(for: on ? 0 : 1, in: isNew ? 0 : Int(settings.rate.frames(in: Self.muteTime).rawValue))
        case .volume(let level, let fade):
            let magnitude = level > .silence ? min(1, level.magnitude.rawValue) : 0
            volume.head(for: magnitude, in: isNew ? 0 : Int(settings.rate.frames(in: fade).rawValue))
        case .toneFade(let fade): tone.setFade(fade)
        case .tonePartials(let partials): tone.setPartials(partials)
        case .ceiling(let level): limiter.setCeiling(level)
        case .stop:
            let frames = Int(settings.rate.frames(in: .stopTime).rawValue)
            tone.stop(in: frames)
            notes.stop(in: frames)
            textures.stop(in: frames)
            sounds.stop()
            touches.stop()
        }
    }

    /// Writes the next `count` frames to `out` from frame `start` on. Every sample that is heard is within the ceiling.
    @_noLocks @_noAllocation
    public mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        render(into: &out, at: start, count: count, nil)
    }

    /// Renders the same samples, with or without `kept`.
    @_noLocks @_noAllocation
    mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int, _ kept: KeptNotes?) {
        let channels = settings.channels
        precondition(start >= 0 && count >= 0 && (start + count) * channels <= out.count, "the frames must fit the span")
        let latency = limiter.latency
        if count > 0 { isNew = false }
        var done = 0
        while done < count {
            var frames = min(Self.chunk, count - done)
            let place = (start + done) * channels
            let isSilent = tone.isSilent && notes.areOver && textures.areOver && sounds.areOver
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

    /// Renders the sound of at most one chunk.
    @inline(__always) @_noLocks @_noAllocation
    private mutating func renderSound(into out: inout MutableSpan<Float>, at start: Int, stride: Int, count: Int, _ kept: KeptNotes?,
                                      felt: inout MutableSpan<Float>, isFelt: Bool) {
        let latency = limiter.latency
        var span = line.mutableSpan
        tone.render(into: &span, at: latency, count: count)
        notes.add(to: &span, at: latency, count: count, kept)
        textures.add(to: &span, at: latency, count: count, felt: &felt, isFelt: isFelt)
        sounds.add(to: &span, at: latency, stride: 1, count: count)
        mute.apply(to: &span, at: latency, count: count)
        volume.apply(to: &span, at: latency, count: count)
        limiter.process(&span, count: count, into: &out, at: start, stride: stride)
    }

    /// Writes what `renderSound` would write when nothing sounds and the limiter's delay is empty.
    @_noLocks @_noAllocation
    private mutating func renderSilence(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        for index in start..<(start + count) { out[unchecked: index] = 0 }
        tone.rest(count)
        mute.advance(count)
        volume.advance(count)
    }

    /// Renders the transducer's channel. The ceiling does not count here, because it protects ears. Where patterns add up to more than full
    /// scale they are clipped to it: touch gains nothing from a smooth limiter.
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

/// The settings that stay fixed for an engine's life.
public struct EngineSettings: Sendable, Equatable, BitwiseCopyable {
    public var rate: SampleRate
    /// The duration of the raised cosine at each end of the tone.
    public var toneFade: Seconds
    /// The tone's partials until a command changes them.
    public var tonePartials: TonePartials
    /// The level that no sample exceeds, at most 0 dBFS.
    public var ceiling: Decibels
    /// The waveforms of the haptic patterns that are heard, by the patterns' numbers.
    public var sounds: Waveforms?
    /// The waveforms of the haptic patterns that a transducer plays, by the patterns' numbers.
    public var touches: Waveforms?

    public init(rate: SampleRate = .standard, toneFade: Seconds = .milliseconds(5), tonePartials: TonePartials = TonePartials(),
                ceiling: Decibels = Decibels(-1), bank: WaveformBank? = nil) {
        self.rate = rate
        self.toneFade = toneFade
        self.tonePartials = tonePartials
        self.ceiling = ceiling
        sounds = bank?.sounds
        touches = bank?.touches
    }

    /// Creates settings from a theme for engines that do not outlive `bank`.
    public init(_ theme: Theme, rate: SampleRate, bank: WaveformBank? = nil) {
        self.init(rate: rate, toneFade: theme.toneFade, tonePartials: TonePartials(theme.tonePartials), ceiling: theme.ceiling, bank: bank)
    }

    /// The number of interleaved channels: the sound's, and the transducer's if there is one.
    public var channels: Int { @_noLocks @_noAllocation get { if case .some = touches { 2 } else { 1 } } }
}
