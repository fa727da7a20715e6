import Calendar
import Glibc
import Signals
import Synth
import Units
import Venue
import Wire

// What the house has decided, made heard.
extension Stage {
    /// Does what the schedule, somebody's choice or the hearing guard asks for now.
    func tendHouse(_ now: Int64) {
        hear(until: now)
        let decision = house.decide(at: time(nil), utcOffset: Self.utcOffset)
        if decision.theme != conductor.theme { play(decision.theme) }
        let change = EventKind.volume(decision.volume, fade: decision.fade)
        if decision.volume != conductor.volume, hasRoom(for: change) {
            // As of now, and not of before the theme was changed: it would be late by that.
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
        if theme.haptics != conductor.theme.haptics { outlet.devices?.use(theme.patternsByUrgency) }
        _ = try? report(.theme(theme), at: nil, from: .engine, ticket: nil)
        logger.notice("theme or preset change", metadata: ["theme": "\(theme.name)", "preset": "\(house.preset)"])
    }

    /// Has the hearing guard account what was heard since it last did, about once a second.
    private func hear(until now: Int64) {
        let report = reports.read()
        let heard = min(report.clock.frame(at: now), report.rendered)
        // A guard that comes with a reload begins then, and not with the daemon.
        guard house.guardian != nil else { return heardUntil = heard }
        // Whoever comes next has ears of their own, and is not to find it turned down.
        if conductor.sessions != heardSessions || conductor.session == nil { house.beginSession() }
        if conductor.sessions != heardSessions, let session = conductor.session { heardUntil = max(heardUntil, session.start) }
        heardSessions = conductor.sessions
        let time = settings.rate.seconds(in: heard - heardUntil)
        guard time >= Seconds(1) else { return }
        // Nobody heard what no server played.
        guard report.state != .waiting else { return heardUntil = heard }
        // What is known of the time stands for all of it; if nothing is, it waits for what comes next.
        guard let reading = levels.reading(of: heardUntil..<heard) else { return }
        heardUntil = heard
        house.hear(weightedMeanSquare: reading.weightedMeanSquare, for: time, on: Self.today)
    }

    /// Nil while the clock is not to be believed.
    static var today: Int? {
        let instant = time(nil)
        return LocalClock.isBelievable(instant) ? LocalClock.day(at: instant, utcOffset: utcOffset) : nil
    }

    /// Of the local time, seconds ahead of UTC.
    static func utcOffset(_ instant: Int) -> Int {
        var seconds = time_t(instant)
        var local = tm()
        localtime_r(&seconds, &local)
        return local.tm_gmtoff
    }

    var houseReport: HouseReport {
        let readings = house.guardian?.readings
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return HouseReport(
            theme: house.theme.name, preset: house.preset, isByHand: house.isByHand, entry: house.choice.hours,
            nextChange: house.nextChange, volume: conductor.volume.rawValue,
            hearing: readings.map {
                HouseReport.Hearing(level: $0.level.map { rounded($0.rawValue) }, sessionDose: rounded($0.sessionDose),
                                    dayDose: rounded($0.dayDose), equivalent: $0.equivalent.map { rounded($0.rawValue) },
                                    volume: $0.volume.rawValue)
            },
            waitingForStart: waitingForStart)
    }
}

extension Theme {
    /// What answers to a hand must be ready first.
    var patternsByUrgency: [(name: String, pattern: HapticPattern)] {
        let urgent = ["touch-down", "touch-up", "swipe"]
        let names = urgent + haptics.keys.filter { !urgent.contains($0) }.sorted()
        return names.compactMap { name in haptics[name].map { (name, $0) } }
    }
}
