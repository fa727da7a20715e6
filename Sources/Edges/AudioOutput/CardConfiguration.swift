import CAlsa
import Glibc
import Units

/// How a card is set up: the best format that it has, few channels, the engine's rate, and a ring.
struct CardConfiguration {
    let format: CardFormat
    let channels: Int
    /// Frames of the ring.
    let size: Int64

    /// Sets `pcm` up, for a ring of about `room`. Throws what the card lacks.
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
        // Stereo, or as many as it takes to reach the transducers; a card with one speaker has one channel.
        let least = max(2, settings.transducers.max() ?? 0)
        let choices = Array(least...max(least, 32)) + (settings.transducers.isEmpty ? [1] : [])
        guard let channels = choices.first(where: { snd_pcm_hw_params_test_channels(pcm, hardware, UInt32($0)) == 0 })
        else { throw .lacksChannels }
        try check(snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(channels)))
        var size = snd_pcm_uframes_t(room.rawValue)
        try check(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &size))
        // The interrupts wake nobody here. They are what stops a card that has run dry: without them it would play its ring again and
        // again while this process is stopped.
        var period = size / 4
        try check(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try check(snd_pcm_hw_params(pcm, hardware))
        try check(snd_pcm_hw_params_get_buffer_size(hardware, &size))
        (self.format, self.channels, self.size) = (format, channels, Int64(size))
        try Self.setSoftware(pcm, size)
    }

    /// The rate nearest to `wanted` that `pcm` can play at.
    static func rate(of pcm: OpaquePointer, near wanted: SampleRate) -> SampleRate? {
        var allocated: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&allocated) >= 0, let hardware = allocated else { return nil }
        defer { snd_pcm_hw_params_free(hardware) }
        var hertz = UInt32(wanted.hertz)
        guard snd_pcm_hw_params_any(pcm, hardware) >= 0,
              snd_pcm_hw_params_set_rate_near(pcm, hardware, &hertz, nil) >= 0 else { return nil }
        return SampleRate(Int(hertz))
    }

    /// It starts when it is told to, stops when it has played everything, and says by CLOCK_MONOTONIC where it stands.
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

    /// For each channel, which sample of a rendered frame it gets: speakers the sound, transducers theirs, a subwoofer nothing, where the
    /// card says which one that is.
    func feeds(transducers: [Int], _ pcm: OpaquePointer) -> [Int?] {
        var positions: [UInt32] = []
        if let map = snd_pcm_get_chmap(pcm) {
            // The positions follow the count.
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
