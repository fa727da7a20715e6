import Fields

/// The rules that the messages must keep, from the file `rules.yaml` beside them.
struct MessageRules: Decodable, Sendable {
    struct Language: Decodable, Sendable {
        /// The longest value that each placeholder can have, by the placeholder's name.
        var values: [String: String]
        /// Words of blame, which may not occur in any text.
        var blame: [String]
        /// Words about the device, which may not occur in the texts about a band or a day.
        var device: [String]
        /// Words for "we", of which each terminal text must contain at least one.
        var we: [String]
    }

    /// A rule on the figures (placeholders) of a group of messages: at least `texts` of its texts must have `least` of them or more.
    struct Figures: Decodable, Sendable {
        var least: Int
        var texts: Int
    }

    /// The largest number of characters of a text in groups without placeholders.
    var longest: Int
    /// The largest number of characters of a text in groups with placeholders, which facts of the day fill. Each placeholder counts as its
    /// longest value.
    var longestWithFacts: Int
    /// The rule on how many placeholders texts must have, for each group whose texts may have some.
    var figures: Figures
    var en: Language
    var de: Language
}

/// Checks the six message files against their rules. docs/scrollkitty-messages.md explains each rule.
struct MessageCheck {
    let rules: MessageRules

    /// Returns all faults, each with the language and the id of its text.
    func faults(en: [String: String], de: [String: String]) -> [Fault] {
        let ids = Set(MessageGroup.allCases.flatMap(\.ids))
        var faults: [Fault] = []
        for (language, texts, rules) in [("en", en, rules.en), ("de", de, rules.de)] {
            faults += ids.subtracting(texts.keys).sorted().map { Fault(field: "\(language).\($0)", expected: "a text") }
            faults += Set(texts.keys).subtracting(ids).sorted().map {
                Fault(field: "\(language).\($0)", expected: "a group's name, a hyphen and a number of it", found: "another id")
            }
            var skeletons: [String: String] = [:]
            for group in MessageGroup.allCases {
                for id in group.ids {
                    guard let text = texts[id].map({ MessageText($0) }) else { continue }
                    faults += self.faults(in: text, group, rules).map { fault in
                        Fault(field: "\(language).\(id)", expected: fault.expected, found: fault.found)
                    }
                    if let other = skeletons.updateValue(id, forKey: text.skeleton) {
                        faults.append(Fault(field: "\(language).\(id)", expected: "other words than \(other)"))
                    }
                }
                if group.usesFacts { faults += figuresFaults(in: group, texts, field: "\(language).\(group.rawValue)") }
            }
        }
        for id in ids.sorted() {
            guard let english = en[id], let german = de[id] else { continue }
            let (a, b) = (MessageText(english).placeholders, MessageText(german).placeholders)
            if a != b { faults.append(Fault(field: "de.\(id)", expected: "the placeholders of en: \(a.sorted().joined(separator: ", "))")) }
        }
        return faults
    }

    /// Returns a fault if too few texts of `group` have enough placeholders; otherwise nothing.
    private func figuresFaults(in group: MessageGroup, _ texts: [String: String], field: String) -> [Fault] {
        let rich = group.ids.count { id in texts[id].map { MessageText($0).placeholders.count >= rules.figures.least } ?? false }
        guard rich < rules.figures.texts else { return [] }
        let expected = "\(rules.figures.texts) texts with \(rules.figures.least) placeholders or more"
        return [Fault(field: field, expected: expected, found: "\(rich)")]
    }

    private func faults(in text: MessageText, _ group: MessageGroup, _ rules: MessageRules.Language) -> [Fault] {
        var faults: [Fault] = []
        func find(_ expected: String, _ found: String?) { faults.append(Fault(field: "", expected: expected, found: found)) }
        let unknown = text.placeholders.filter { rules.values[$0] == nil }.sorted()
        if let name = unknown.first { find("a known placeholder", "{{\(name)}}") }
        if !group.usesFacts, let name = text.placeholders.sorted().first { find("no placeholder in \(group.rawValue)", "{{\(name)}}") }
        let hasBrace = text.parts.contains { if case .words(let words) = $0 { words.contains { "{}".contains($0) } } else { false } }
        if hasBrace { find("placeholders as in {{goalHours}}", "a brace") }
        let longest = group.usesFacts ? self.rules.longestWithFacts : self.rules.longest
        if let filled = text.filled(rules.values), filled.count > longest { find("at most \(longest) characters", "\(filled.count)") }
        let plain = text.text
        if plain.isEmpty || plain.first == " " || plain.last == " " || plain.unicodeScalars.contains(where: { $0.value < 32 }) {
            find("one line without spaces around it", nil)
        }
        if plain.last?.isDrawnAsEmoji != true { find("an emoji at the end", plain.last.map { "\"\($0)\"" }) }
        let words = text.words
        for entry in rules.blame where Self.has(entry, words) { find("nothing that blames", "\"\(entry)\"") }
        if !group.usesFacts { for entry in rules.device where Self.has(entry, words) { find("no word of a device", "\"\(entry)\"") } }
        if group == .terminal, !rules.we.contains(where: { Self.has($0, words) }) { find("we", nil) }
        return faults
    }

    /// Whether the words of `entry` occur one after another in `words`. A `*` at the start or end of a word stands for any letters.
    private static func has(_ entry: String, _ words: [String]) -> Bool {
        let wanted = entry.lowercased().split(separator: " ").map(String.init)
        guard !wanted.isEmpty, words.count >= wanted.count else { return false }
        return (0...words.count - wanted.count).contains { start in
            wanted.indices.allSatisfy { matches(words[start + $0], wanted[$0]) }
        }
    }

    private static func matches(_ word: String, _ pattern: String) -> Bool {
        let core = pattern.filter { $0 != "*" }
        return switch (pattern.hasPrefix("*"), pattern.hasSuffix("*")) {
        case (true, true): word.contains(core)
        case (true, false): word.hasSuffix(core)
        case (false, true): word.hasPrefix(core)
        case (false, false): word == core
        }
    }
}

extension Character {
    /// Whether fonts draw the character as an emoji: by default, or because of variation selector 16 (Unicode Technical Standard 51).
    fileprivate var isDrawnAsEmoji: Bool { unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xFE0F } }
}
