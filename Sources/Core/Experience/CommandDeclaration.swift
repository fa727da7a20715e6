import Fields

/// Declares what a piece adds to the command line: `thrum NAME check` and `thrum NAME show`.
public struct CommandDeclaration: Sendable {
    public let name: String
    /// Describes the command for people, in a sentence.
    public let about: String
    public let check: FileCheck
    public let drawing: AnswerDrawing

    public init(_ name: String, about: String, check: FileCheck, drawing: AnswerDrawing) {
        self.name = name
        self.about = about
        self.check = check
        self.drawing = drawing
    }
}

/// Says what is wrong with files of a piece's own.
public struct FileCheck: Sendable {
    public struct File: Sendable {
        public let path: String
        public let bytes: [UInt8]

        public init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Describes the check for people, in a sentence.
    public let about: String
    /// The extension of the files' names.
    public let fileExtension: String
    /// An example of a path.
    public let example: String
    /// Throws all that is wrong: an error whose description has a line for each fault.
    public let check: @Sendable ([File]) throws -> Void

    public init(about: String, fileExtension: String, example: String, check: @escaping @Sendable ([File]) throws -> Void) {
        self.about = about
        self.fileExtension = fileExtension
        self.example = example
        self.check = check
    }
}

/// Draws a piece's answers in lines of text.
public struct AnswerDrawing: Sendable {
    /// Describes the drawing for people, in a sentence.
    public let about: String
    /// The names of the piece's queries that are drawn; they have no parameters.
    public let queries: [String]
    /// Returns the lines. `answers` are the results by their queries; `isColored` allows the terminal's colours. Throws for an answer that
    /// this version does not know.
    public let lines: @Sendable (_ answers: [String: JSONValue], _ isColored: Bool) throws -> [String]

    public init(about: String, queries: [String],
                lines: @escaping @Sendable (_ answers: [String: JSONValue], _ isColored: Bool) throws -> [String]) {
        self.about = about
        self.queries = queries
        self.lines = lines
    }
}
