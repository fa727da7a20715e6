// What is written about the settings, out of the table.
extension SettingsTable {
    /// The table of docs/configuration.md, in Markdown.
    public var documentation: String {
        let head = ["| key | | range | unit | default | changed by |", "|---|---|---|---|---|---|"]
        return (head + entries.map(\.row)).map { $0 + "\n" }.joined()
    }

    /// The example settings file. Each key is commented out, and has its default or, where there is none to write, an example.
    public var example: String {
        """
        # Settings of thrumd: a copy of this file is /etc/thrum/thrum.yaml. Each key is here with its default, or else with an
        # example. Take the # away in front of what is to be different. docs/configuration.md explains them all.
        #
        # Is it right?            thrumd --check-config
        # Have it read again:     systemctl reload thrumd    (keys marked "at the next start" wait for one)
        # A wrong line never silences an exhibit: thrumd keeps the settings that were good last, and says so in `thrum status`.

        """ + sections.map { section in
            let line = "\n# --- \(section.heading) "
            let rule = line + String(repeating: "-", count: max(3, 120 - line.count)) + "\n"
            return rule + section.entries.map { "\n" + $0.lines }.joined()
        }.joined()
    }
}

extension SettingEntry {
    /// The setting's row in a Markdown table.
    fileprivate var row: String {
        let range = switch shape {
        case .choice(let choices): choices.map { "`\($0)`" }.joined(separator: ", ")
        case .whole: (shape.bounds ?? "") + ", whole"
        case .number: (shape.bounds ?? "").replacing("-", with: "−")
        default: expected.replacing("hearing.md", with: "[hearing.md](hearing.md)")
        }
        var standard = standard
        if case .choice = shape { standard = "`\(standard)`" }
        let change = switch effect {
        case .start: "a start"
        case .reload: "a reload"
        }
        let cells = ["`\(name)`", help, range, unit ?? "", standard, change]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// The setting's lines in the example file.
    fileprivate var lines: String {
        let isMapping = variable == nil
        let words = sentence + (effect == .start ? " At the next start." : "")
        let value = isMapping ? example : " " + example
        let key = "\(name):\(value)".split(separator: "\n").map { "#\($0)\n" }.joined()
        return Self.wrapped(words) + key
    }

    /// Wraps words into comment lines of at most 120 columns.
    private static func wrapped(_ words: String) -> String {
        var lines = ["#"]
        for word in words.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
