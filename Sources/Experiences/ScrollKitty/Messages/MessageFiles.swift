import Experience
import Fields
import YAML

/// The six files of texts and their rules: those that are compiled in, with others in place of some.
struct MessageFiles {
    private static let languages = ["en", "de"]
    private static let names = ["bands", "terminal", "nightly"]

    /// The files, by their places in `messages/scrollkitty`, for instance `en/bands.yaml`.
    private var files: [String: FileCheck.File]
    private let places: [String]

    /// Each file takes the place that its path ends with. Throws `FileFault` for one whose path ends with none.
    init(with others: [FileCheck.File]) throws {
        typealias Files = PackageResources
        let shipped = [
            "en/bands.yaml": Files.en_bands_yaml, "en/terminal.yaml": Files.en_terminal_yaml, "en/nightly.yaml": Files.en_nightly_yaml,
            "de/bands.yaml": Files.de_bands_yaml, "de/terminal.yaml": Files.de_terminal_yaml, "de/nightly.yaml": Files.de_nightly_yaml,
            "rules.yaml": Files.rules_yaml,
        ]
        files = Dictionary(uniqueKeysWithValues: shipped.map { ($0, FileCheck.File(path: $0, bytes: $1)) })
        places = shipped.keys.sorted()
        for file in others {
            let words = file.path.split(separator: "/").suffix(2)
            guard let place = [words.joined(separator: "/"), words.last.map(String.init) ?? ""].first(where: { shipped[$0] != nil }) else {
                throw FileFault(file: file.path, fault: Fault(field: "", expected: "a path that ends with one of "
                                                                  + places.joined(separator: ", ")))
            }
            files[place] = file
        }
    }

    private func tree(_ place: String) throws -> YAMLTree {
        let file = files[place] ?? FileCheck.File(path: place, bytes: [])
        return try YAMLTree(file.bytes, file: file.path)
    }

    /// Throws `FileFault` with all that is wrong.
    func check() throws {
        let rules = try tree("rules.yaml").decode(MessageRules.self)
        var trees: [String: [YAMLTree]] = [:]
        var texts: [String: [String: String]] = [:]
        for language in Self.languages {
            for name in Self.names {
                let tree = try tree("\(language)/\(name).yaml")
                trees[language, default: []].append(tree)
                texts[language, default: [:]].merge(try tree.decode([String: String].self)) { first, _ in first }
            }
        }
        let faults = MessageCheck(rules: rules).faults(en: texts["en", default: [:]], de: texts["de", default: [:]])
        let located = faults.map { fault in
            let words = fault.field.split(separator: ".", maxSplits: 1).map(String.init)
            let (language, id) = (words.first ?? "", words.last ?? "")
            let own = trees[language, default: []].first { $0.keys.contains(id) }
            let fault = Fault(field: id, expected: fault.expected, found: fault.found)
            return own?.located(fault) ?? FileFault(file: files[Self.place(of: id, language)]?.path ?? language, fault: fault)
        }
        if let fault = FileFault(located) { throw fault }
    }

    /// Where a text belongs.
    private static func place(of id: String, _ language: String) -> String {
        "\(language)/\(names.first { id.hasPrefix($0) } ?? "bands").yaml"
    }
}
