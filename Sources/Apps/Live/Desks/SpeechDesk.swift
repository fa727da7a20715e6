import CLinux
import Files
import Signals
import Synth
import Wire

/// Has the engine speak what pages ask for, one text at a time: a new one takes the place of the one before. Only the stage has this class,
/// so its state belongs to the event loop.
///
/// Something is spoken only while a run is under way: only then mute, volume and ceiling reach the render thread.
final class SpeechDesk {
    private struct Wanted: Sendable {
        var number: Int
        var text: String
        var language: String
        var caller: Caller
    }

    /// Who had the newest text spoken, and when.
    private struct Origin {
        var client: Int
        var runs: Int
        /// The number of the visit; nil where there was none.
        var visit: Int?

        /// Whether the run is over, or the visit, if there was one.
        func isOver(on stage: isolated Stage) -> Bool {
            let conductor = stage.conductor
            if conductor.run == nil || conductor.runs != runs { return true }
            return visit != nil && (conductor.visit == nil || conductor.visits != visit)
        }
    }

    /// The characters that a text counts for at least. Each text costs a process.
    private static let least = 20.0
    private static let mostComplaints = 20

    private var track: SpeechTrack
    private let voice: Voice
    /// The characters that all visitors' pages together may still have spoken. Somebody who explores comes upon ten short names a second.
    private var characters = Allotment(rate: 200, most: 2_000)
    /// The number of the newest request; what was asked for before it is not begun any more.
    private var newest = 0
    /// Whether a text is being turned into sound, and the text that waits for that.
    private var isAtWork = false
    private var waiting: Wanted?
    /// What was asked for last and may still be spoken; nil for nothing.
    private var origin: Origin?
    /// The reasons that were logged for silence. There are no more than a few, since programs may say anything.
    private var complaints: Set<String> = []

    init(_ track: consuming SpeechTrack, _ voice: Voice) {
        self.track = track
        self.voice = voice
    }

    /// Speaks a text, and answers when that has begun. What is being spoken ends at once.
    func say(_ text: String, in language: String, _ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: text, caller, on: stage) { return caller.refuse(refusal) }
        hush(on: stage)
        let conductor = stage.conductor
        origin = Origin(client: caller.client, runs: conductor.runs, visit: conductor.visit == nil ? nil : conductor.visits)
        waiting = Wanted(number: newest, text: text.printed, language: language, caller: caller)
        workOn(stage)
    }

    /// Ends what is being spoken, as a client has asked.
    func stop(_ caller: Caller, on stage: isolated Stage) {
        if let refusal = refusal(of: caller, on: stage) { return caller.refuse(refusal) }
        hush(on: stage)
        caller.answer(Receipt(frame: nil))
    }

    /// Ends what is being spoken, and drops what was asked for and has not begun.
    func hush(on stage: isolated Stage) {
        newest += 1
        origin = nil
        waiting?.caller.answer(SpeechAnswer(seconds: 0))
        waiting = nil
        stage.outputs.port.send(aside: .hush)
    }

    /// Ends what a client had spoken that has disconnected.
    func forget(_ client: Int, on stage: isolated Stage) {
        if origin?.client == client { hush(on: stage) }
    }

    /// Ends what was asked for in a visit or a run that has ended.
    func followVisit(on stage: isolated Stage) {
        if let origin, origin.isOver(on: stage) { hush(on: stage) }
    }

    /// Returns why a client may not decide what is spoken: only who is in front of the work, or looks after it, may use its loudspeaker.
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

    /// Turns the text that waits into sound, unless another one is at work.
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

    /// Speaks what a text has become, if it is still wanted, and goes on with the text that waits.
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
    /// The text without control characters, some of which the voice takes for commands.
    fileprivate var printed: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
