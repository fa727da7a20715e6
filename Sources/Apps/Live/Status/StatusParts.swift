import AudioOutput
import Evdev
import Haptics
import Synth
import Units
import Venue
import Wire

// Makes the parts of the answer to `status` from what the parts of the engine report.

extension StatusReport.Output {
    init(_ report: OutputReport, _ output: LiveSettings.Output, rate: SampleRate, lateEvents: UInt64, wakeUpsPerSecond: Double) {
        func milliseconds(_ count: FrameCount) -> Double { rate.seconds(in: count).rawValue * 1000 }
        self.init()
        (self.kind, self.state) = (output.kind, report.state.report)
        if report.state == .waiting { self.issue = report.reasonToWait(output) }
        if report.state == .connected { (self.server, self.sink) = (report.server.description, report.sink.description) }
        (self.isMutedByOthers, self.volumeByOthers) = (report.attenuation.isMuted, report.attenuation.volume)
        (self.isSuspended, self.isRevising, self.isRealtime) = (report.isSuspended, report.revises, report.isRealtime)
        self.monitorPeak = report.monitor.map { Magnitude($0.peak).reported }
        self.sampleRate = Int(rate.hertz)
        self.latency.touchToSoundMilliseconds = milliseconds(report.eventToSound)
        self.latency.touchToRewriteMilliseconds = Double(report.travel) / 1e6
        self.latency.marginMilliseconds = milliseconds(report.heardToChangeable)
        self.latency.queuedMilliseconds = milliseconds(report.fill)
        self.latency.sinkBlockMilliseconds = milliseconds(report.sinkBlock)
        self.latency.clockErrorMicroseconds = Double(report.clockErrorNanoseconds) / 1000
        self.latency.driftPartsPerMillion = report.drift * 1e6
        counters = report.counters
        counters.lateEvents = lateEvents
        self.wakeUpsPerSecond = wakeUpsPerSecond
    }
}

extension OutputState {
    var report: StatusReport.Output.State {
        switch self {
        case .null: .null
        case .waiting: .waiting
        case .connected: .connected
        }
    }
}

extension StatusReport.Devices {
    init(_ report: Devices.Report, patterns: UInt64, transducers: [Int]) {
        self.init()
        touchscreens = report.screens.map { StatusReport.Touchscreen(name: $0.name, node: $0.node, drops: $0.drops) }
        motors = report.motors.map { motor in
            StatusReport.Motor(name: motor.name, node: motor.node, drive: .init(motor.abilities.drive), slots: motor.abilities.slots,
                               held: motor.held, plays: motor.plays, missed: motor.missed, uploads: motor.uploads,
                               touchToEffectMilliseconds: motor.delay.map { Double($0) / 1e6 }, issue: motor.issue)
        }
        switches = report.switches.map { StatusReport.Switch(name: $0.name, node: $0.node) }
        unused = report.unused.map {
            StatusReport.UnusedDevice(name: $0.name, node: $0.node, reason: $0.reason.words, rule: $0.reason.rule)
        }
        (refused, missing) = (report.refused.count, report.missing.map(\.rule))
        (self.patterns, self.transducers) = (patterns, transducers)
    }
}

extension StatusReport.Motor.Drive {
    init(_ drive: MotorAbilities.Drive) {
        switch drive {
        case .sine: self = .sine
        case .rumble: self = .rumble
        case .constant: self = .constant
        }
    }
}

extension HouseReport {
    /// `time` is the house's time, in seconds since 1970-01-01 in UTC; `volume` is the volume in effect; `waitingForStart` are the keys of
    /// changed settings that need a restart.
    init(_ house: House, at time: Int, volume: Decibels, mute: ByHand? = nil, ceiling: Ceiling, waitingForStart: [String]) {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        self.init(
            theme: house.theme.name, preset: house.preset, isByHand: house.isByHand, entry: house.choice.entry, isOpen: house.isOpen,
            opensAt: house.opensAt, opensIn: house.opensAt.map { max(0, $0 - time) }, nextChange: house.nextChange,
            volume: volume.rawValue,
            volumeByHand: house.chosenVolume.map { VolumeByHand(level: $0.level.rawValue, by: $0.by, since: $0.since) }, mute: mute,
            ceiling: ceiling,
            hearing: house.guardian.map { guardian in
                let readings = guardian.readings
                return Hearing(level: readings.level.map { rounded($0.rawValue) }, sessionDose: rounded(readings.sessionDose),
                               dayDose: rounded(readings.dayDose), equivalent: readings.equivalent.map { rounded($0.rawValue) },
                               volume: readings.volume.rawValue, rules: HearingRules(guardian.settings))
            },
            waitingForStart: waitingForStart)
    }
}

extension HouseReport.HearingRules {
    init(_ settings: HearingSettings) {
        self.init(calibration: settings.calibration.rawValue, limit: (settings.limit.rawValue * 100).rounded() / 100,
                  session: settings.session, country: settings.country.map { country in
            Country(word: country.rawValue, level: country.average.level.rawValue, minutes: country.average.minutes)
        })
    }
}
