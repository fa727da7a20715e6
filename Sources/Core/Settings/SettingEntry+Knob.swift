import Fields
import Signals

extension SettingEntry {
    /// That of a piece's knob: how it stands until somebody turns it.
    init(_ knob: Knob) {
        let (shape, standard): (SettingShape, String) = switch knob.kind {
        case .flag(let isOn): (.choice(["yes", "no"]), isOn ? "yes" : "no")
        case .number(let range, let standard): (.number(range), Fault.plain(standard))
        }
        self.init(name: knob.name, shape: shape, unit: knob.unit, standard: standard, example: standard, effect: .reload,
                  help: knob.about.prefix(1).uppercased() + knob.about.dropFirst(), hasFlag: false)
    }
}
