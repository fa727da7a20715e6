import Fields
import YAML

/// All texts, by their ids, in both languages.
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

    /// Texts by their ids. Throws `Fault` for one that is missing.
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

    /// The texts of messages/scrollkitty, which are compiled in: journals then need no file beside them. Tests hold them to the rules.
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
