import Experience
import Glibc
import Signals
import Synth
import Units
import Venue

// Carries out what the house has decided.
extension Stage {
    /// Applies what the schedule, a choice by hand and the hearing guard decide.
    func tendHouse(_ now: Int64) {
        hearing.account(outputs.reports.read(), at: now, sessions: conductor.visits, start: conductor.visit?.start, rate: timing.rate,
                        day: SystemTime.today, in: &house) { levels.reading(of: $0) }
        let decision = house.decide(at: time(nil), utcOffset: SystemTime.utcOffset)
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
        if !waveforms.learn(theme) {
            logger.error("no more room for patterns: those of this theme reach no transducer, and make no sound, until the next start")
        }
        if theme.haptics != conductor.theme.haptics { outputs.devices?.use(theme.patternsByUrgency(of: conductor.piece.declaration)) }
        _ = try? report(.theme(theme), at: nil, from: .engine, ticket: nil)
        logger.notice("theme or preset change", metadata: ["theme": "\(theme.name)", "preset": "\(house.preset)"])
    }
}

extension Theme {
    /// Patterns must be ready before they can be played, and devices have room for few: those of hands first, then those that the piece
    /// asks for.
    func patternsByUrgency(of piece: Declaration) -> [(name: String, pattern: HapticPattern)] {
        let hands = ["touch-down", "touch-up", "swipe"]
        let urgent = hands + piece.haptics.filter { !hands.contains($0) }
        let names = urgent + haptics.keys.filter { !urgent.contains($0) }.sorted()
        return names.compactMap { name in haptics[name].map { (name, $0) } }
    }
}
