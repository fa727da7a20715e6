import Experience
import Fields
import Settings
import Signals

extension PieceSettings {
    /// As the piece declares itself.
    init(_ declaration: Declaration) {
        self.init(name: declaration.name, about: declaration.about, knobs: declaration.knobs.map { Knob($0) })
    }
}

extension PieceSettings.Knob {
    fileprivate init(_ knob: Signals.Knob) {
        let standard = switch knob.standard {
        case .flag(let isOn): isOn ? "yes" : "no"
        case .number(let value): Fault.plain(value)
        }
        self.init(name: knob.name, range: knob.range, unit: knob.unit, standard: standard, about: knob.about)
    }
}
