import Experience
import Haptics
import Signals
import Synth
import Units
import Venue

// Carries out what the house has decided.
extension Stage {
    /// Applies what the schedule, a choice by hand and the hearing guard decide.
    func tendHouse(_ now: Int64) {
        sound.hearing.account(outputs.reports.read(), at: now, sessions: conductor.visits, start: conductor.visit?.start, rate: timing.rate,
                        day: clock.today, in: &house) { sound.meter.reading(of: $0) }
        let decision = house.decide(at: clock.instant, utcOffset: SystemTime.utcOffset)
        if decision.theme != conductor.theme { play(decision.theme) }
        let change = EventKind.volume(decision.volume, fade: decision.fade)
        if decision.volume != conductor.volume, hasRoom(for: change) {
            // Due from now, not from before the theme was changed: it would be late by that time.
            if (try? report(change, at: nil, from: .engine, ticket: nil)) != nil {
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

extension Theme {
    /// Effects must be ready before they can be played, and devices have room for few: what hands give comes first, then the textures and
    /// patterns that the piece asks for.
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
