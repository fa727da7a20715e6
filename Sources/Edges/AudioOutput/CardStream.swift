import CAlsa
import Glibc
import Units

/// A sound card that is open for playing, and its ring. What is in the ring and not played yet may be written again, without a word to
/// anybody: the card reads this very memory. Thread: render.
final class CardStream {
    enum Reading {
        case plays(Timing)
        /// It has played all there was, and has stopped.
        case ranDry
        /// The machine has slept.
        case sleeps
        case lost(CardFault)
    }

    private let pcm: OpaquePointer
    private let status: OpaquePointer
    private let ring: CardRing
    private let rate: SampleRate
    /// What is played and how, in words.
    let name: String
    let channels: Int
    /// The number of the card.
    let card: Int32
    /// The stream's frame at `offset` of the ring.
    private var base: Int64 = 0
    private var offset: Int64 = 0
    /// The card plays up to here.
    private(set) var committed: Int64 = 0
    /// From `committed` up to here the ring is silent.
    private var cleared: Int64 = 0
    private let scratch: UnsafeMutableBufferPointer<Float>

    /// Frames of the ring.
    var size: Int64 { ring.size }

    /// `room`: what the ring should hold.
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

    /// Begins at frame `frame` of the stream, or begins anew, with a silent ring. To be followed by `write` and `start`.
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

    /// Writes `count` frames from frame `start` of the stream on, as `render` gives them, one piece after the other, each of so many
    /// samples a frame. What was written before for the same frames is gone.
    func write(_ count: Int64, from start: Int64, channels: Int, _ render: (inout MutableSpan<Float>) -> Void) {
        var done: Int64 = 0
        while done < count {
            let length = min(Int64(CardRing.piece), count - done)
            let part = UnsafeMutableBufferPointer(rebasing: scratch[..<(Int(length) * channels)])
            var span = part.mutableSpan
            render(&span)
            ring.put(UnsafeBufferPointer(part), channels: channels, at: place(of: start + done))
            done += length
        }
    }

    /// Lets the card play up to `end`, if that is new; after it the ring is silent, should nothing more be written.
    func commit(until end: Int64, read: Int64) {
        cleared = max(cleared, end)
        let silentEnd = read + size
        if cleared < silentEnd { ring.clear(silentEnd - cleared, from: place(of: cleared)) }
        cleared = max(cleared, silentEnd)
        while committed < end {
            var areas: UnsafePointer<snd_pcm_channel_area_t>?
            var offset: snd_pcm_uframes_t = 0
            var frames = snd_pcm_uframes_t(end - committed)
            // What goes wrong here is what the next reading says.
            guard snd_pcm_mmap_begin(pcm, &areas, &offset, &frames) >= 0, frames > 0 else { return }
            let count = snd_pcm_mmap_commit(pcm, offset, min(frames, snd_pcm_uframes_t(end - committed)))
            guard count > 0 else { return }
            committed += Int64(count)
        }
    }

    /// Where the card stands. `written`: frames of the stream, by our count.
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
        // Beyond the ring: what a USB card has on its way.
        let held = max(0, Int64(snd_pcm_status_get_delay(status)) - queued)
        var stamp = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &stamp)
        let moment = Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
        return .plays(Timing(read: committed - queued, written: written, held: held * 1_000_000_000 / Int64(rate.hertz),
                             moment: abs(now - moment) < 100_000_000 ? moment : now))
    }

    private func place(of frame: Int64) -> Int64 { offset + frame - base }

    private static func number(of pcm: OpaquePointer) -> Int32 {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) >= 0, let info else { return -1 }
        defer { snd_pcm_info_free(info) }
        return snd_pcm_info(pcm, info) >= 0 ? snd_pcm_info_get_card(info) : -1
    }
}
