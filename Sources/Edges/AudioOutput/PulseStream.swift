import CPulse
import Glibc
import Units

/// A playback stream of float32 samples. It is mono, and the server sends it to every speaker; or it has transducers, and each of its
/// channels is one of the sink's. Thread: render.
final class PulseStream {
    let pointer: OpaquePointer
    private let rate: SampleRate
    private let map: ChannelMap
    let frameBytes: Int

    /// Makes a stream that is not connected yet; nil where libpulse fails. The channels equal the sink's in name as well as in number,
    /// because some servers connect them by name.
    init?(_ context: OpaquePointer, rate: SampleRate, map: ChannelMap, sink: pa_channel_map?) {
        var spec = pa_sample_spec(format: PA_SAMPLE_FLOAT32LE, rate: UInt32(rate.hertz), channels: UInt8(map.count))
        var names = pa_channel_map()
        pa_channel_map_init_extend(&names, UInt32(map.count), PA_CHANNEL_MAP_AUX)
        if let sink {
            withUnsafeMutableBytes(of: &names.map) { names in
                withUnsafeBytes(of: sink.map) { sinkNames in
                    let known = min(Int(sink.channels), map.count) * MemoryLayout<pa_channel_position_t>.size
                    names.copyMemory(from: UnsafeRawBufferPointer(rebasing: sinkNames[..<known]))
                }
            }
        }
        let stream = withUnsafePointer(to: names) { pa_stream_new(context, "Thrum", &spec, map.isMono ? nil : $0) }
        guard let pointer = stream else { return nil }
        self.pointer = pointer
        self.rate = rate
        self.map = map
        frameBytes = map.count * MemoryLayout<Float>.size
    }

    /// The flags of the connection. The channels of a stream with transducers are connected to the sink's by number, and not mixed by name.
    var flags: pa_stream_flags_t { map.isMono ? .none : PA_STREAM_NO_REMAP_CHANNELS | PA_STREAM_NO_REMIX_CHANNELS }

    deinit { pa_stream_unref(pointer) }

    func close() {
        pa_stream_set_state_callback(pointer, nil, nil)
        pa_stream_set_write_callback(pointer, nil, nil)
        pa_stream_set_underflow_callback(pointer, nil, nil)
        pa_stream_set_suspended_callback(pointer, nil, nil)
        pa_stream_set_moved_callback(pointer, nil, nil)
        pa_stream_disconnect(pointer)
    }

    /// The name of the sink on which the stream plays.
    var sink: String { pa_stream_get_device_name(pointer).map { String(cString: $0) } ?? "" }

    /// Whether the stream's sink is suspended, so that it takes nothing.
    var isSuspended: Bool { pa_stream_is_suspended(pointer) > 0 }

    /// The frame of the stream at which the server last ran out of frames; nil if the server does not say.
    var underflow: Int64? {
        let index = pa_stream_get_underflow_index(pointer)
        return index < 0 ? nil : index / Int64(frameBytes)
    }

    /// Requests that PipeWire's graph uses blocks of `frames`. PipeWire takes the length from this property, in powers of two, and not from
    /// the buffer attributes.
    func askPipeWire(forBlock frames: Int64) {
        guard let properties = pa_proplist_new() else { return }
        defer { pa_proplist_free(properties) }
        pa_proplist_sets(properties, "node.latency", "\(frames)/\(rate.hertz)")
        if let operation = pa_stream_proplist_update(pointer, PA_UPDATE_REPLACE, properties, nil, nil) {
            pa_operation_unref(operation)
        }
    }

    /// Writes a stretch, which `render` fills one span after the other. Returns false when libpulse refuses.
    func write(_ stretch: Stretch, _ render: (inout MutableSpan<Float>) -> Void) -> Bool {
        var left = Int(stretch.count)
        var offset = stretch.offset * Int64(frameBytes)
        while left > 0 {
            var memory: UnsafeMutableRawPointer?
            var size = left * frameBytes
            guard pa_stream_begin_write(pointer, &memory, &size) >= 0, let memory else { return false }
            let count = map.longest(min(left, size / frameBytes))
            let samples = UnsafeMutableBufferPointer(
                start: memory.bindMemory(to: Float.self, capacity: count * map.count), count: count * map.count)
            samples.initialize(repeating: 0)
            var span = samples.mutableSpan
            map.fill(&span, count: count, render)
            guard pa_stream_write(pointer, memory, count * frameBytes, nil, offset, PA_SEEK_RELATIVE) >= 0 else {
                return false
            }
            offset = 0
            left -= count
        }
        return true
    }

    /// Returns the server's last reading; nil when libpulse does not know the positions.
    func timing(now: Int64) -> Timing? {
        guard let info = pa_stream_get_timing_info(pointer)?.pointee,
              info.read_index_corrupt == 0, info.write_index_corrupt == 0,
              // This limit is centuries of audio: larger values cannot be right.
              max(info.read_index.magnitude, info.write_index.magnitude) < 1 << 50 else { return nil }
        // The server's time stamp is in wall-clock time, if both clocks agree. Otherwise the answer is assumed to have taken half of its
        // round trip.
        var wall = timeval()
        gettimeofday(&wall, nil)
        let age = (Int64(wall.tv_sec - info.timestamp.tv_sec) * 1_000_000 + Int64(wall.tv_usec - info.timestamp.tv_usec)) * 1000
        let isPlausible = info.synchronized_clocks != 0 && age >= 0 && age < 100_000_000
        // A latency of ten seconds or more is really a negative one that has wrapped around.
        return Timing(read: info.read_index / Int64(frameBytes), written: info.write_index / Int64(frameBytes),
                      held: info.sink_usec < 10_000_000 ? Int64(info.sink_usec) * 1000 : 0,
                      moment: now - (isPlausible ? age : min(100_000_000, Int64(info.transport_usec) * 1000)))
    }
}

extension pa_stream_flags_t {
    static var none: pa_stream_flags_t { pa_stream_flags_t(rawValue: 0) }

    static func | (a: pa_stream_flags_t, b: pa_stream_flags_t) -> pa_stream_flags_t {
        pa_stream_flags_t(rawValue: a.rawValue | b.rawValue)
    }
}

/// A map of a stream's channels, which says which are speakers and which are transducers. Thread: render.
final class ChannelMap {
    /// Whether each channel is a transducer.
    private let isTransducer: [Bool]
    /// The memory for rendered frames with sound and transducer, before they are distributed to channels.
    private let scratch: UnsafeMutableBufferPointer<Float>

    private static let capacity = 4_096

    /// Makes a map. `transducers` are channels, counted from 1. Without any, the stream is mono. Otherwise it has the sink's channels, and
    /// all others are speakers.
    init(transducers: [Int], sinkChannels: Int) {
        var count = 1
        if let last = transducers.max() {
            // libpulse accepts negative offsets only if a frame's length is a power of two, because it divides the offset as an unsigned
            // number (observed with 16.1, pa_stream_write). Channels beyond the sink's are heard nowhere.
            while count < max(last, sinkChannels, transducers.count + 1) { count *= 2 }
        }
        isTransducer = (1...count).map { transducers.contains($0) }
        scratch = .allocate(capacity: transducers.isEmpty ? 0 : 2 * Self.capacity)
        scratch.initialize(repeating: 0)
    }

    deinit { scratch.deallocate() }

    var count: Int { isTransducer.count }
    var isMono: Bool { scratch.isEmpty }

    /// Returns how many of `frames` frames can be filled at once.
    func longest(_ frames: Int) -> Int { isMono ? frames : min(frames, Self.capacity) }

    /// Calls `render` for `count` frames, and distributes them to the channels in `span`.
    func fill(_ span: inout MutableSpan<Float>, count: Int, _ render: (inout MutableSpan<Float>) -> Void) {
        guard !isMono else { return render(&span) }
        var rendered = UnsafeMutableBufferPointer(rebasing: scratch[..<(2 * count)]).mutableSpan
        render(&rendered)
        for frame in 0..<count {
            for channel in isTransducer.indices {
                span[frame * isTransducer.count + channel] = rendered[2 * frame + (isTransducer[channel] ? 1 : 0)]
            }
        }
    }
}
