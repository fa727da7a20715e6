import Foundation
import ScrollKitty

/// The English texts as they stand in `messages/scrollkitty`, read without the project's own reader.
public struct MessageTexts: Sendable {
    /// Words without figures and placeholders, in small letters, by id.
    let skeletons: [String: [String]]

    public var count: Int { skeletons.count }

    public init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "messages/scrollkitty/en")
        var skeletons: [String: [String]] = [:]
        for name in ["bands", "nightly", "terminal"] {
            for line in try String(contentsOf: folder.appending(path: name + ".yaml"), encoding: .utf8).split(separator: "\n") {
                guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { continue }
                let text = line[line.index(after: colon)...].lowercased().replacingOccurrences(of: #"\{\{\w+\}\}"#, with: " ",
                                                                                               options: .regularExpression)
                skeletons[String(line[..<colon])] = text.split { !$0.isLetter && !"'\u{2019}".contains($0) }.map(String.init)
            }
        }
        self.skeletons = skeletons
    }
}

/// Holds what one household is told to the rules of messages.
struct MessageListener {
    private let texts: MessageTexts
    /// The last twelve.
    private var recent: [String] = []
    private var today: Set<String> = []

    init(_ texts: MessageTexts) { self.texts = texts }

    mutating func beginDay() { today = [] }

    /// What is wrong with a message; nil when nothing is.
    mutating func hear(_ message: KittySays) -> String? {
        defer {
            recent = (recent + [message.id]).suffix(12)
            today.insert(message.id)
        }
        guard let skeleton = texts.skeletons[message.id] else { return "\(message.id) is no text" }
        for text in [message.text.en, message.text.de] where text.contains("{{") || !(1...200).contains(text.count) {
            return "\(message.id) is told as \"\(text)\""
        }
        if today.contains(message.id) { return "\(message.id) is told twice a day" }
        if recent.contains(message.id) { return "\(message.id) is among the last twelve" }
        return recent.last.map { texts.skeletons[$0] == skeleton } == true ? "\(message.id) has the words of the last" : nil
    }
}
