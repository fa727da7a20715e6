import CLinux
import Files
import Signals
import Synth
import Wire

/// Has the engine speak texts for pages, one text at a time: a new text replaces the one before. Only the stage has this class, so its
/// state belongs to the event loop.
///
/// The engine speaks only during a run, because only then do mute, volume and ceiling reach the render thread.
final class SpeechDesk {
    private struct Wanted: Sendable {
        var number: Int
        var text: String
        var language: String
        var caller: Caller
    }

    /// The client, the run and the visit of the newest request to speak.
    private struct Origin {
        var client: Int
        var runs: Int
        /// The number of the visit; nil where there was none.
        var visit: Int?

        /// Whether the run of the request is over, or its visit, if it had one.
        func isOver(on stage: isolated Stage) -> Bool {
            let conductor = stage.conductor
            if conductor.run == nil || conductor.runs != runs { return true }
            return visit != nil && (conductor.visit == nil || conductor.visits != visit)
        }
    }

    /// The least number of characters that a text counts for, because each text costs a process.
    private static let least = 20.0
    private static let mostComplaints = 20

    private var track: SpeechTrack
    private let voice: Voice
    /// The number of characters that all visitors' pages together may still have spoken. Somebody who explores finds up to ten short names
    /// a second.
    private var characters = Allotment(rate: 200, most: 2_000)
    /// The number of the newest request; older requests that have not begun are dropped.
    private var newest = 0
    /// Whether a worker is turning a text into sound. `waiting` is the text that comes next; nil where no text waits.
    private var isAtWork = false
    private var waiting: Wanted?
    /// The origin of the newest request that may still be spoken; nil where there is no such request.
    private var origin: Origin?
    /// The reasons why nothing was spoken that have been logged. Their number is limited, because programs may report any text.
    private var complaints: Set<String> = []

    init(_ track: consuming SpeechTrack, _ voice: Voice) {
        self.track = track
        self.voice = voice
    }

    /// Speaks a text, and answers when that has begun. A text that is being spoken ends at once.
    func say(_ text: String, in language: String, _ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: text, caller, on: stage) { return caller.refuse(refusal) }
        hush(on: stage)
        let conductor = stage.conductor
        origin = Origin(client: caller.client, runs: conductor.runs, visit: conductor.visit == nil ? nil : conductor.visits)
        waiting = Wanted(number: newest, text: text.printed, language: language, caller: caller)
        workOn(stage)
    }

    /// Stops speaking at a client's request, as `hush` does.
    func stop(_ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: caller, on: stage) { return caller.refuse(refusal) }
        hush(on: stage)
        caller.answer(Receipt(frame: nil))
    }

    /// Stops speaking at once, and drops a request whose text is not being spoken yet.
    func hush(on stage: isolated Stage) {
        newest += 1
        origin = nil
        waiting?.caller.answer(SpeechAnswer(seconds: 0))
        waiting = nil
        stage.outputs.port.send(aside: .hush)
    }

    /// Stops speaking if the text was requested by a client that has disconnected.
    func forget(_ client: Int, on stage: isolated Stage) {
        if origin?.client == client { hush(on: stage) }
    }

    /// Stops speaking if the visit or the run in which the text was requested has ended.
    func followVisit(on stage: isolated Stage) {
        if let origin, origin.isOver(on: stage) { hush(on: stage) }
    }

    /// Returns why a client may not decide what is spoken; nil when it may. Only clients on this machine, which are at the exhibit, and
    /// operators may.
    private func refusal(of caller: Caller, on stage: isolated Stage) -> ErrorReply? {
        let presence = stage.clients.presence
        guard !presence.isLocal(caller.client), presence.role(of: caller.client) != .operator else { return nil }
        return ErrorReply(.refused(.notAllowed), "only pages on this machine have the engine speak")
    }

    private func refusal(of text: String, _ caller: Caller, on stage: isolated Stage) -> ErrorReply? {
        if let refusal = refusal(of: caller, on: stage) { return refusal }
        if stage.isClosing { return ErrorReply(.refused(.shuttingDown), "shutting down") }
        guard stage.conductor.run != nil else { return ErrorReply(.refused(.notNow), "nothing is spoken before a visit has begun") }
        guard stage.outputs.port.isOpen else {
            return ErrorReply(.refused(.overloaded), "overloaded: events come faster than they can be played")
        }
        guard stage.clients.presence.role(of: caller.client).isRated else { return nil }
        let count = max(Self.least, Double(text.count))
        characters.fill(at: monotonicNanoseconds())
        guard characters.has(count) else {
            return ErrorReply(.refused(.tooFast), "more is to be spoken than anybody can hear", retryAfter: characters.wait(for: count))
        }
        characters.take(count)
        return nil
    }

    /// Has a worker turn the waiting text into sound, unless the worker is busy.
    private func workOn(_ stage: isolated Stage) {
        guard !isAtWork, let wanted = waiting else { return }
        waiting = nil
        isAtWork = true
        let later = Later(wanted.caller)
        stage.workers.speech.start(for: wanted.caller.client) { [voice, rate = track.rate] in
            let result = Result { () throws(ErrorReply) in try voice.samples(wanted.text, wanted.language, rate) }
            later.resume { $0.desks.speech.speak(result, wanted, on: $0) }
        } refused: { busy in
            later.resume { $0.desks.speech.speak(.failure(ErrorReply(.refused(.busy), "\(busy)")), wanted, on: $0) }
        }
    }

    /// Plays the sound of a text, if the text is still wanted, and starts on the waiting text.
    private func speak(_ result: Result<[Float], ErrorReply>, _ wanted: Wanted, on stage: isolated Stage) {
        isAtWork = false
        defer { workOn(stage) }
        switch result {
        case .success(let samples):
            let isWanted = wanted.number == newest && stage.outputs.port.isOpen && !stage.isClosing
            if isWanted { stage.outputs.port.send(aside: track.put(samples)) }
            wanted.caller.answer(SpeechAnswer(seconds: isWanted ? Double(samples.count) / Double(track.rate.hertz) : 0))
        case .failure(let error):
            if complaints.count < Self.mostComplaints, complaints.insert(error.message).inserted {
                stage.logger.notice("nothing is spoken", metadata: ["reason": "\(error.message)"])
            }
            wanted.caller.refuse(error)
        }
    }
}

extension String {
    /// The text without control characters, because the voice takes some of them for commands.
    fileprivate var printed: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
