import CPulse
import Synth
import Units

/// Where and how to play.
public struct PulseSettings: Sendable {
    /// A PulseAudio server string; nil for the user's own ($PULSE_SERVER and the usual places).
    public var server: String?
    /// A sink's name; nil for the default sink.
    public var sink: String?
    /// How much audio the server is asked to hold.
    public var buffer: Seconds

    public init(server: String? = nil, sink: String? = nil, buffer: Seconds = .milliseconds(20)) {
        self.server = server
        self.sink = sink
        self.buffer = buffer
    }
}

/// Plays through PulseAudio, or a server that speaks its protocol. Starts without one, and connects when it appears.
public final class PulseOutput: AudioOutput {
    private let mainloop: Mainloop
    private let flag: StopFlag
    private let thread: RenderThread

    public init(_ renderer: consuming Renderer, _ settings: PulseSettings) {
        let mainloop = Mainloop()
        let flag = StopFlag()
        let handover = Handover(renderer)
        self.mainloop = mainloop
        self.flag = flag
        thread = RenderThread {
            PulseLoop(handover.take(), mainloop, settings).run(until: flag)
        }
    }

    public func stop() {
        flag.raise()
        pa_mainloop_wakeup(mainloop.pointer)
        thread.join()
    }

    /// libpulse's words for an error code.
    public static func describe(_ code: Int32) -> String {
        code == Int32(PA_ERR_NOENTITY.rawValue) ? "it has no such sink" : String(cString: pa_strerror(code))
    }
}

/// libpulse's main loop.
// @unchecked: everything but pa_mainloop_wakeup, which may be called from any thread, is called by the render thread.
final class Mainloop: @unchecked Sendable {
    let pointer: OpaquePointer

    init() {
        guard let pointer = pa_mainloop_new() else { preconditionFailure("a main loop needs memory and a pipe only") }
        self.pointer = pointer
    }

    deinit { pa_mainloop_free(pointer) }
}
