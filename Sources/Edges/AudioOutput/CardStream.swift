import CAlsa
import Glibc
import Units

/// An open sound card and its ring. Frames in the ring that were not played yet can be overwritten at any time, because the card reads this
/// memory directly. Thread: render.
final class CardStream {
    enum Reading {
        case plays(Timing)
        /// The card has played all frames, and has stopped.
        case ranDry
        /// The machine was suspended.
        case sleeps
        case lost(CardFault)
    }

    private let pcm: OpaquePointer
    private let status: OpaquePointer
    private let ring: CardRing
    private let rate: SampleRate
    /// The format and the number of channels, as text.
    let name: String
    let channels: Int
    /// The number of the card in ALSA.
    let card: Int32
    /// The frame of the stream that is at `offset` in the ring.
    private var base: Int64 = 0
    private var offset: Int64 = 0
    /// The end of the frames that the card is allowed to play.
    private(set) var committed: Int64 = 0
    /// The end of the silence that follows `committed` in the ring.
    private var cleared: Int64 = 0
    private let scratch: UnsafeMutableBufferPointer<Float>

    /// The length of the ring, in frames.
    var size: Int64 { ring.size }

    /// Opens the card. `room` is the wanted length of the ring. Throws the reason why the card cannot be used.
    init(_ settings: AlsaSettings, rate: SampleRate, room: FrameCount) throws(CardFault) {
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, settings.device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        guard code >= 0, let pcm = opened else { throw .library(code) }
        do throws(CardFault) {
            guard snd_pcm_type(pcm) == SND_PCM_TYPE_HW else { throw .isPlugin }
            let configuration = try CardConfiguration(pcm, settings, rate: rate, room: room)
            var areas: UnsafePointer<snd_pcm_channel_area_t>?
            var offset: snd_pcm_uframes_t = 0
            var frames = snd_pcm_uframes_t(configuration.size)
            try check(snd_pcm_mmap_begin(pcm, &areas, &offset, &frames))
            var status: OpaquePointer?
            try check(snd_pcm_status_malloc(&status))
            guard let areas, let status else { throw .library(-ENOMEM) }
            self.status = status
            ring = CardRing(size: configuration.size, format: configuration.format,
                            feeds: configuration.feeds(transducers: settings.transducers, pcm), areas: areas)
            card = CardStream.number(of: pcm)
            channels = configuration.channels
            name = "ALSA, \(configuration.format.name), channels: \(configuration.channels)"
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
        self.pcm = pcm
        self.rate = rate
        scratch = .allocate(capacity: 2 * CardRing.piece)
        scratch.initialize(repeating: 0)
    }

    deinit {
        snd_pcm_close(pcm)
        snd_pcm_status_free(status)
        scratch.deallocate()
    }

    /// Prepares the card to start, or start again, at frame `frame` of the stream, with a silent ring. Call `write` and `start` afterwards.
    func prepare(at frame: Int64) throws(CardFault) {
        try check(snd_pcm_prepare(pcm))
        var areas: UnsafePointer<snd_pcm_channel_area_t>?
        var offset: snd_pcm_uframes_t = 0
        var frames = snd_pcm_uframes_t(size)
        try check(snd_pcm_mmap_begin(pcm, &areas, &offset, &frames))
        self.offset = Int64(offset)
        (base, committed) = (frame, frame)
        ring.clear(size, from: 0)
        cleared = frame + size
    }

    func start() throws(CardFault) { try check(snd_pcm_start(pcm)) }

    /// Writes `count` frames from frame `start` of the stream on, over what was written before for these frames. `render` fills one piece
    /// after the other, with `channels` samples per frame.
    func write(_ count: Int64, from start: Int64, channels: Int, _ render: (inout MutableSpan<Float>) -> Void) {
        var done: Int64 = 0
        while done < count {
            let length = min(Int64(CardRing.piece), count - done)
            let part = UnsafeMutableBufferPointer(rebasing: scratch[..<(Int(length) * channels)])
            var span = part.mutableSpan
            render(&span)
            ring.put(UnsafeBufferPointer(part), channels: channels, at: position(of: start + done))
            done += length
        }
    }

    /// Allows the card to play up to frame `end` of the stream. `read` is the frame up to which the card has read. The ring after `end` is
    /// filled with silence, in case nothing more is written.
    func commit(until end: Int64, read: Int64) {
        cleared = max(cleared, end)
        let silentEnd = read + size
        if cleared < silentEnd { ring.clear(silentEnd - cleared, from: position(of: cleared)) }
        cleared = max(cleared, silentEnd)
        while committed < end {
            var areas: UnsafePointer<snd_pcm_channel_area_t>?
            var offset: snd_pcm_uframes_t = 0
            var frames = snd_pcm_uframes_t(end - committed)
            // An error here shows in the next reading.
            guard snd_pcm_mmap_begin(pcm, &areas, &offset, &frames) >= 0, frames > 0 else { return }
            let count = snd_pcm_mmap_commit(pcm, offset, min(frames, snd_pcm_uframes_t(end - committed)))
            guard count > 0 else { return }
            committed += Int64(count)
        }
    }

    /// Reads the card's position. `written` is the number of frames of the stream that the player has written.
    func reading(written: Int64, now: Int64) -> Reading {
        let code = snd_pcm_status(pcm, status)
        guard code >= 0 else { return .lost(.library(code)) }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_XRUN: return .ranDry
        case SND_PCM_STATE_SUSPENDED: return .sleeps
        case SND_PCM_STATE_RUNNING: break
        case SND_PCM_STATE_DISCONNECTED: return .lost(.library(-ENODEV))
        default: return .lost(.standsStill)
        }
        let queued = size - Int64(snd_pcm_status_get_avail(status))
        // The delay beyond the ring: frames that a USB card has in transfer.
        let held = max(0, Int64(snd_pcm_status_get_delay(status)) - queued)
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        let moment = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
        return .plays(Timing(read: committed - queued, written: written, held: held * 1_000_000_000 / Int64(rate.hertz),
                             moment: abs(now - moment) < 100_000_000 ? moment : now))
    }

    /// Returns where frame `frame` of the stream stands in the ring, in frames before wrapping around.
    private func position(of frame: Int64) -> Int64 { offset + frame - base }

    private static func number(of pcm: OpaquePointer) -> Int32 {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0, let info else { return -1 }
        defer { snd_pcm_info_free(info) }
        return snd_pcm_info(pcm, info) >= 0 ? snd_pcm_info_get_card(info) : -1
    }
}

/// The configuration of a card: its best format, few channels, the engine's rate, and the length of the ring.
struct CardConfiguration {
    let format: CardFormat
    let channels: Int
    /// The length of the ring, in frames.
    let size: Int64

    /// Configures `pcm` with a ring of about `room` frames. Throws the reason why the card cannot be used.
    init(_ pcm: OpaquePointer, _ settings: AlsaSettings, rate: SampleRate, room: FrameCount) throws(CardFault) {
        var allocated: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&allocated))
        guard let hardware = allocated else { throw .lacksFormats }
        defer { snd_pcm_hw_params_free(hardware) }
        try check(snd_pcm_hw_params_any(pcm, hardware))
        guard snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_MMAP_INTERLEAVED) >= 0
            || snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_MMAP_NONINTERLEAVED) >= 0,
            let format = CardFormat.allCases.first(where: { snd_pcm_hw_params_test_format(pcm, hardware, $0.alsa) == 0 })
        else { throw .lacksFormats }
        try check(snd_pcm_hw_params_set_format(pcm, hardware, format.alsa))
        guard snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(rate.hertz), 0) >= 0 else { throw .lacksRate }
        // Two channels, or as many as are needed to include the transducers; one channel for a card with one speaker.
        let least = max(2, settings.transducers.max() ?? 0)
        let choices = Array(least...max(least, 32)) + (settings.transducers.isEmpty ? [1] : [])
        guard let channels = choices.first(where: { snd_pcm_hw_params_test_channels(pcm, hardware, UInt32($0)) == 0 })
        else { throw .lacksChannels }
        try check(snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(channels)))
        var size = snd_pcm_uframes_t(room.rawValue)
        try check(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &size))
        // The interrupts wake no thread here. They stop a card that has played all frames; without them it would repeat its ring while this
        // process is stopped.
        var period = size / 4
        try check(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try check(snd_pcm_hw_params(pcm, hardware))
        try check(snd_pcm_hw_params_get_buffer_size(hardware, &size))
        (self.format, self.channels, self.size) = (format, channels, Int64(size))
        try Self.setSoftware(pcm, size)
    }

    /// Returns the rate nearest to `wanted` at which `pcm` can play; nil if it cannot be asked.
    static func rate(of pcm: OpaquePointer, near wanted: SampleRate) -> SampleRate? {
        var allocated: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&allocated) >= 0, let hardware = allocated else { return nil }
        defer { snd_pcm_hw_params_free(hardware) }
        var hertz = UInt32(wanted.hertz)
        guard snd_pcm_hw_params_any(pcm, hardware) >= 0,
              snd_pcm_hw_params_set_rate_near(pcm, hardware, &hertz, nil) >= 0 else { return nil }
        return SampleRate(Int(hertz))
    }

    /// Configures the card to start only on command, to stop when it has played everything, and to use CLOCK_MONOTONIC for its times.
    private static func setSoftware(_ pcm: OpaquePointer, _ size: snd_pcm_uframes_t) throws(CardFault) {
        var allocated: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&allocated))
        guard let software = allocated else { return }
        defer { snd_pcm_sw_params_free(software) }
        try check(snd_pcm_sw_params_current(pcm, software))
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(software, &boundary))
        try check(snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        try check(snd_pcm_sw_params_set_stop_threshold(pcm, software, size))
        try check(snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE))
        try check(snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC))
        try check(snd_pcm_sw_params(pcm, software))
    }

    /// Returns, for each channel, the index of its sample within a rendered frame. The index is 0, the sound, for speakers, and 1 for
    /// transducers. It is nil for a subwoofer, if the card says which channel that is.
    func feeds(transducers: [Int], _ pcm: OpaquePointer) -> [Int?] {
        var positions: [UInt32] = []
        if let map = snd_pcm_get_chmap(pcm) {
            // The positions follow the channel count in memory.
            let first = UnsafeRawPointer(map) + MemoryLayout<UInt32>.size
            positions = (0..<Int(map.pointee.channels)).map { first.load(fromByteOffset: 4 * $0, as: UInt32.self) }
            free(map)
        }
        return (0..<channels).map { channel in
            if transducers.contains(channel + 1) { return 1 }
            return channel < positions.count && positions[channel] == UInt32(SND_CHMAP_LFE.rawValue) ? nil : 0
        }
    }
}

/// Reads from a card's own mixer whether it lets sound through. The mixer is never changed. Thread: render.
final class CardMixer {
    private let mixer: OpaquePointer

    /// Opens the mixer of the card with this number; nil where the card has none.
    init?(card: Int32) {
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) >= 0, let mixer = opened else { return nil }
        guard snd_mixer_attach(mixer, "hw:\(card)") >= 0, snd_mixer_selem_register(mixer, nil, nil) >= 0, snd_mixer_load(mixer) >= 0 else {
            snd_mixer_close(mixer)
            return nil
        }
        self.mixer = mixer
    }

    deinit { snd_mixer_close(mixer) }

    /// Whether all outlets, or one element through which all sound goes, are switched off or at their lowest volume.
    var isMuted: Bool {
        snd_mixer_handle_events(mixer)
        var outlets: [Bool] = []
        var element = snd_mixer_first_elem(mixer)
        while let current = element {
            element = snd_mixer_elem_next(current)
            guard snd_mixer_selem_is_active(current) != 0, let name = snd_mixer_selem_get_name(current).map({ String(cString: $0) })
            else { continue }
            if Self.passages.contains(name), Self.isShut(current) { return true }
            if Self.outlets.contains(name) { outlets.append(Self.isShut(current)) }
        }
        return !outlets.isEmpty && outlets.allSatisfy { $0 }
    }

    /// The elements through which all sound goes, by the names in the kernel's drivers (Documentation/sound/designs/control-names.rst).
    private static let passages: Set = ["Master", "PCM", "Digital"]
    private static let outlets: Set = ["Speaker", "Headphone", "Line Out", "Front"]

    private static func isShut(_ element: OpaquePointer) -> Bool {
        let channel = SND_MIXER_SCHN_FRONT_LEFT
        if snd_mixer_selem_has_playback_switch(element) != 0 {
            var isOn: Int32 = 1
            for channel in [channel, SND_MIXER_SCHN_FRONT_RIGHT] where snd_mixer_selem_has_playback_channel(element, channel) != 0 {
                snd_mixer_selem_get_playback_switch(element, channel, &isOn)
                if isOn != 0 { break }
            }
            if isOn == 0 { return true }
        }
        guard snd_mixer_selem_has_playback_volume(element) != 0 else { return false }
        var (lowest, highest, volume) = (0, 0, 1)
        guard snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest) >= 0, lowest < highest,
              snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0 else { return false }
        return volume == lowest
    }
}
