import Experience
import Fields
import YAML

/// All messages, each in both languages, by their ids.
struct MessageBook: Sendable {
    struct Message: Sendable {
        let id: String
        let en: MessageText
        let de: MessageText
        let skeleton: String
    }

    private let groups: [MessageGroup: [Message]]
    private let skeletons: [String: String]

    subscript(group: MessageGroup) -> [Message] { groups[group] ?? [] }

    func skeleton(of id: String) -> String? { skeletons[id] }

    /// Makes a book of the texts, which are given by their ids. Throws `Fault` for an id without a text.
    init(en: [String: String], de: [String: String]) throws {
        var groups: [MessageGroup: [Message]] = [:]
        for group in MessageGroup.allCases {
            groups[group] = try group.ids.map { id in
                guard let english = en[id] else { throw Fault(field: "en." + id, expected: "a text") }
                guard let german = de[id] else { throw Fault(field: "de." + id, expected: "a text") }
                let text = MessageText(english)
                return Message(id: id, en: text, de: MessageText(german), skeleton: text.skeleton)
            }
        }
        self.groups = groups
        skeletons = Dictionary(uniqueKeysWithValues: groups.values.joined().map { ($0.id, $0.skeleton) })
    }

    /// The texts of messages/scrollkitty, compiled in so that a journal can be replayed without files. Tests check them against their
    /// rules.
    static let shipped: MessageBook = {
        typealias Files = PackageResources
        do {
            return try MessageBook(en: texts([Files.en_bands_yaml, Files.en_terminal_yaml, Files.en_nightly_yaml]),
                                   de: texts([Files.de_bands_yaml, Files.de_terminal_yaml, Files.de_nightly_yaml]))
        } catch {
            preconditionFailure("the texts that are compiled in are whole: \(error)")
        }
    }()

    private static func texts(_ files: [[UInt8]]) throws -> [String: String] {
        try files.reduce(into: [:]) { texts, bytes in
            texts.merge(try YAMLTree(bytes, file: "messages").decode([String: String].self)) { first, _ in first }
        }
    }
}

/// The six message files and their rules: the compiled-in ones, some of which may be replaced by other files.
struct MessageFiles {
    private static let languages = ["en", "de"]
    private static let names = ["bands", "terminal", "nightly"]

    /// The files by the path that each has in `messages/scrollkitty`, for instance `en/bands.yaml`.
    private var files: [String: FileCheck.File]
    private let paths: [String]

    /// Starts with the compiled-in files, and replaces some by `others`: each replaces the file whose path here is the end of its own.
    /// Throws `FileFault` for a path that ends with none of these.
    init(with others: [FileCheck.File]) throws {
        typealias Files = PackageResources
        let shipped = [
            "en/bands.yaml": Files.en_bands_yaml, "en/terminal.yaml": Files.en_terminal_yaml, "en/nightly.yaml": Files.en_nightly_yaml,
            "de/bands.yaml": Files.de_bands_yaml, "de/terminal.yaml": Files.de_terminal_yaml, "de/nightly.yaml": Files.de_nightly_yaml,
            "rules.yaml": Files.rules_yaml,
        ]
        files = Dictionary(uniqueKeysWithValues: shipped.map { ($0, FileCheck.File(path: $0, bytes: $1)) })
        paths = shipped.keys.sorted()
        for file in others {
            let words = file.path.split(separator: "/").suffix(2)
            guard let path = [words.joined(separator: "/"), words.last.map(String.init) ?? ""].first(where: { shipped[$0] != nil }) else {
                throw FileFault(file: file.path, fault: Fault(field: "", expected: "a path that ends with one of "
                                                                  + paths.joined(separator: ", ")))
            }
            files[path] = file
        }
    }

    private func tree(_ path: String) throws -> YAMLTree {
        let file = files[path] ?? FileCheck.File(path: path, bytes: [])
        return try YAMLTree(file.bytes, file: file.path)
    }

    /// Checks all texts. Throws a `FileFault` with all faults.
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
            return own?.located(fault) ?? FileFault(file: files[Self.path(of: id, language)]?.path ?? language, fault: fault)
        }
        if let fault = FileFault(located) { throw fault }
    }

    /// Returns the path, such as `en/bands.yaml`, of the file to which the text with this id belongs.
    private static func path(of id: String, _ language: String) -> String {
        "\(language)/\(names.first { id.hasPrefix($0) } ?? "bands").yaml"
    }
}

/// The messages that the cat has said in a household, and the choice of the next one.
struct MessageLog: Codable, Equatable, Sendable {
    /// The smallest number of other messages between two uses of the same message.
    static let distance = 12
    /// The placeholders that make a text preferred, in sets. Texts with a placeholder of the first set come first, then those of the
    /// second.
    private static let tellings: [Set<String>] = [["overByHours", "underByHours"], ["phoneUseHours"], ["firstUseTime"]]

    /// The ids of the messages that were said so far, each once; the one that was said last is at the end.
    private(set) var told: [String] = []
    private var today: [String] = []
    private var count = 0

    mutating func beginDay() { today = [] }

    /// Chooses the next message of `group`; nil when no text is possible. A text is not possible if it was said today or is one of the last
    /// 12, if it has the skeleton of the last one, or if a value for a placeholder is missing. Texts about the goal come before texts about
    /// the use alone, and these before texts about the time of the first use. Of the texts that remain, one that was never said is drawn by
    /// the seed. If there is none, the text that was said longest ago is chosen.
    mutating func choose(_ group: MessageGroup, _ facts: MessageFacts, seed: UInt64, from book: MessageBook) -> Message? {
        let recent = Set(told.suffix(Self.distance) + today)
        let last = told.last.flatMap { book.skeleton(of: $0) }
        let possible = book[group].filter { message in
            !recent.contains(message.id) && message.skeleton != last
                && message.en.placeholders.allSatisfy { facts.en[$0] != nil && facts.de[$0] != nil }
        }
        let candidates = Self.tellings.lazy.map { facts in possible.filter { !$0.en.placeholders.isDisjoint(with: facts) } }
            .first { !$0.isEmpty } ?? possible
        let ages = Dictionary(uniqueKeysWithValues: told.enumerated().map { ($1, $0) })
        let new = candidates.filter { ages[$0.id] == nil }
        let oldest = candidates.min { ages[$0.id, default: 0] < ages[$1.id, default: 0] }
        let chosen = new.isEmpty ? oldest : new[Int(unitInterval(splitMix(seed, count + 1)) * Double(new.count))]
        guard let chosen, let en = chosen.en.filled(facts.en), let de = chosen.de.filled(facts.de) else { return nil }
        count += 1
        told.removeAll { $0 == chosen.id }
        told.append(chosen.id)
        today.append(chosen.id)
        return Message(id: chosen.id, text: Words(en: en, de: de))
    }

    /// Whether the values are valid: whether this version of the rules can have stored them.
    var isWell: Bool { told.count <= 280 && Set(told).count == told.count && (0...1_000_000_000).contains(count) && today.count <= 280 }

    struct Message: Equatable, Sendable {
        var id: String
        var text: Words
    }
}
