import Units
import Wire

extension HouseReport {
    /// `time` is the house's, in seconds since 1970-01-01 in UTC; `volume` is the one that is heard; `waitingForStart` are settings that
    /// count from the next start on.
    init(_ house: House, at time: Int, volume: Decibels, mute: ByHand? = nil, ceiling: Ceiling, waitingForStart: [String]) {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        self.init(
            theme: house.theme.name, preset: house.preset, isByHand: house.isByHand, entry: house.choice.hours, isOpen: house.isOpen,
            opensAt: house.opensAt, opensIn: house.opensAt.map { max(0, $0 - time) }, nextChange: house.nextChange,
            volume: volume.rawValue, mute: mute, ceiling: ceiling,
            hearing: (house.guardian?.readings).map {
                Hearing(level: $0.level.map { rounded($0.rawValue) }, sessionDose: rounded($0.sessionDose), dayDose: rounded($0.dayDose),
                        equivalent: $0.equivalent.map { rounded($0.rawValue) }, volume: $0.volume.rawValue)
            },
            waitingForStart: waitingForStart)
    }
}
