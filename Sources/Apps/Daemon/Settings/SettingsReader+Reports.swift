import Experience
import Settings
import Wire
import YAML

// What is told of the settings in use.
extension SettingsReader {
    /// Every setting, in the order of the documentation, where `piece` plays.
    func reports(of piece: Declaration) -> [SettingReport] { values.table.entries.map { report($0, piece) } }

    private func report(_ entry: SettingEntry, _ piece: Declaration) -> SettingReport {
        var (value, source, place) = origin(of: entry)
        if source == .default, let exhibited = exhibited(entry.name, in: piece) { value = exhibited }
        let effect: SettingReport.Effect = switch entry.effect {
        case .start: .start
        case .reload: .reload
        }
        return SettingReport(key: entry.name, value: value, unit: source == .default ? nil : entry.unit, source: source, place: place,
                             effect: effect)
    }

    private func origin(of entry: SettingEntry) -> (value: String, SettingReport.Source, place: String?) {
        let name = entry.name
        guard let variable = entry.variable else {
            guard let mapping = files.mapping(name) else { return (entry.standard, .default, nil) }
            return inFile(mapping.text, mapping.file, name)
        }
        guard let text = given[name] else { return (entry.standard, .default, nil) }
        if flags[name] != nil { return (text, .flag, "--\(name)") }
        if environment[variable] != nil { return (text, .variable, variable) }
        guard let value = try? files.value(name) else { return (text, .file, nil) }
        return inFile(text, value.file, name)
    }

    private func inFile(_ text: String, _ file: YAMLTree, _ name: String) -> (value: String, SettingReport.Source, place: String?) {
        // The file itself has other lines now.
        if let lastGood { return (text, .lastGood, lastGood) }
        return (text, .file, file.place(of: name))
    }
}
