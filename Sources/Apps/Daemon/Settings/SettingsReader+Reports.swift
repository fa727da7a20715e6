import Settings
import Wire

// What is told of the settings in use.
extension SettingsReader {
    /// Every setting, in the order of the documentation.
    var reports: [SettingReport] { values.table.entries.map(report) }

    private func report(_ entry: SettingEntry) -> SettingReport {
        let (value, source, place) = origin(of: entry)
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
            return (mapping.text, .file, mapping.file.place(of: name))
        }
        guard let text = given[name] else { return (entry.standard, .default, nil) }
        if flags[name] != nil { return (text, .flag, "--\(name)") }
        if environment[variable] != nil { return (text, .variable, variable) }
        return (text, .file, (try? files.value(name))??.file.place(of: name))
    }
}
