/// The same text in each language.
public struct Words: Codable, Equatable, Sendable {
    public var en: String
    public var de: String

    public init(en: String, de: String) {
        self.en = en
        self.de = de
    }
}
