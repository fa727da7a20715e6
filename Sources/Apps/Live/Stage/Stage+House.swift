import CLinux
import Experience
import Fields
import Glibc
import Haptics
import Logging
import Signals
import Synth
import Units
import Venue
import Wire

// Carries out the decisions of `House`.
extension Stage {
    /// Applies what the schedule, a choice by hand and the hearing guard decide. `client` is the client that a change of volume is
    /// attributed to.
    func tendHouse(_ now: Int64, for client: Client = .engine) {
        sound.hearing.account(outputs.reports.read(), at: now, sessions: conductor.visits, start: conductor.visit?.start, rate: timing.rate,
                        day: clock.today, in: &house) { sound.meter.reading(of: $0) }
        let decision = house.decide(at: clock.instant, utcOffset: SystemTime.utcOffset)
        if decision.theme != conductor.theme { play(decision.theme) }
        let change = EventKind.volume(decision.volume, fade: decision.fade)
        if decision.volume != conductor.volume, hasRoom(for: change) {
            // The volume is due from now, not from the beginning of this function: changing the theme took time, and the volume would be
            // late.
            if (try? report(change, at: nil, from: client, ticket: nil)) != nil {
                let eased = house.guardian?.volume.rawValue ?? 0
                logger.notice(eased < 0 ? "the volume changes for the sake of ears" : "the volume changes",
                              metadata: ["dB": "\(decision.volume.rawValue)", "preset": "\(house.preset)"])
            }
        }
    }

    private func play(_ theme: Theme) {
        guard hasRoom(for: .theme(theme)) else { return }
        if !desks.themes.learn(theme) {
            logger.error("no more room for patterns: those of this theme reach no transducer, and make no sound, until the next start")
        }
        let parts = theme.motorParts(of: conductor.piece.declaration)
        if parts != conductor.theme.motorParts(of: conductor.piece.declaration) { outputs.devices?.use(parts) }
        _ = try? report(.theme(theme), at: nil, from: .engine, ticket: nil)
        logger.notice("theme or preset change", metadata: ["theme": "\(theme.name)", "preset": "\(house.preset)"])
    }
}

// Watches and corrects the house's clock.
extension Stage {
    /// Checks whether the machine's clock has jumped, and logs it.
    func watchClock() {
        guard let hasJumped = clock.look() else { return }
        if hasJumped, let issue = clock.issue {
            logger.error("\(issue)")
        } else {
            logger.notice("the machine's clock and the house's are the same again")
        }
    }

    /// Has the house's time follow the machine's clock again, after that clock has jumped.
    func acceptClock(_ caller: Caller) {
        guard let jump = clock.accept() else {
            let fault = Fault(field: "method", expected: "a jump of the machine's clock that is waiting to be accepted", found: "none")
            return caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
        }
        logger.notice("the house lives by the machine's clock again", metadata: ["seconds later": "\(jump)"])
        tendHouse(monotonicNanoseconds())
        caller.answer(ClockReport(time: clock.now, jump: jump))
    }
}

// Takes over settings that were reread during a session.
extension Stage {
    /// Takes over the faults of the settings, and applies what schedule, choices by hand and hearing guard decide. Must be called before
    /// any client can connect.
    func open(issues: [String]) {
        settings.issues = issues
        tellUnreadableSounds()
        tellPrediction()
        tendHouse(monotonicNanoseconds())
    }

    /// Takes over the settings that can be changed while thrumd plays; `keys` are those that need a restart.
    func change(to new: LiveSettings, waitingForStart keys: [String]) {
        let former = settings.values.reportedModel
        let knobs = settings.take(new, waitingForStart: keys, knobs: conductor.knobs)
        tellUnreadableSounds()
        if settings.values.reportedModel != former { tellPrediction() }
        // The machine's time zone may have changed as well.
        tzset()
        house.change(to: new)
        desks.kiosk.screens = new.kioskScreens
        conductor.change(idle: new.idle, knobs: knobs)
        conductor.predict(by: settings.values.prediction.model)
        tendHouse(monotonicNanoseconds())
    }

    /// Stores the faults of the settings. The status reports them until good settings are read.
    func complain(_ issues: [String]) { settings.issues = issues }

    /// Whether another process uses the same state directory.
    var isSecond: Bool { kept.store?.refusal != nil }

    /// Has the status report why the settings in use were not stored for a start with bad settings. `reason` is nil where they were stored.
    func lacksLastGood(because reason: String?) { settings.saveFailure = reason }

    private func tellPrediction() {
        let prediction = settings.values.prediction
        if let issue = prediction.saveFailure { logger.error("\(issue)") }
        guard let model = settings.values.reportedModel else { return }
        logger.notice("visits to come are predicted by a model",
                      metadata: ["model": "\(model.name)", "digest": "\(model.digest ?? "none")"])
    }

    private func tellUnreadableSounds() {
        for (file, reason) in settings.values.unreadableSounds.sorted(by: { $0.key < $1.key }) {
            logger.error("a pattern's sound cannot be read", metadata: ["file": "\(file)", "reason": "\(reason)"])
        }
    }
}

extension Theme {
    /// Returns the theme's patterns and textures in the order in which devices load them. Effects must be loaded before they can be played,
    /// and devices have room for few. So the patterns of fingers and swipes come first, then the textures and patterns that the piece
    /// plays.
    func motorParts(of piece: Declaration) -> [MotorPart] {
        let hands = ["touch-down", "touch-up", "swipe"]
        let own = piece.haptics.filter { !hands.contains($0) }
        func patterns(_ names: [String]) -> [MotorPart] { names.compactMap { name in haptics[name].map { MotorPart(name, .pattern($0)) } } }
        func textures(_ names: [String]) -> [MotorPart] {
            names.compactMap { name in self.textures[name].map { MotorPart(name, .texture($0)) } }
        }
        return patterns(hands) + textures(piece.textures) + patterns(own)
            + patterns(haptics.keys.filter { !hands.contains($0) && !own.contains($0) }.sorted())
            + textures(self.textures.keys.filter { !piece.textures.contains($0) }.sorted())
    }
}
