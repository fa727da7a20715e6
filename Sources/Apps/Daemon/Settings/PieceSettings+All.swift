import Fields
import Settings
import Signals

extension PieceSettings {
    static let all = ExperienceName.allCases.map { name in
        switch name {
        case .direct: PieceSettings(name: name.rawValue, about: "front ends say what to sound", knobs: [])
        case .colorScroller:
            PieceSettings(name: name.rawValue, about: "the whole piece", knobs: Parameter.allCases.map { Knob($0) })
        }
    }
}

extension PieceSettings.Knob {
    fileprivate init(_ parameter: Parameter) {
        let standard = switch Tuning.standard[parameter] {
        case .flag(let isOn): isOn ? "yes" : "no"
        case .number(let value): Fault.plain(value)
        }
        let about = switch parameter {
        case .forceUnlockAll: "Every skin of the catalogue counts as unlocked"
        case .toastCooldown: "Least time from one toast to the next"
        case .chanceEarly: "Chance that one of the first cards carries a new skin"
        case .chanceMiddle: "The same of the cards after those"
        case .chanceLate: "The same of all later cards"
        }
        self.init(name: parameter.rawValue, range: parameter.range, unit: parameter.unit, standard: standard, about: about)
    }
}
