import Signals

/// What is wrong with a file, and where.
public struct FileFault: Error, Equatable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1; nil when it is the whole file.
    public var line: Int?
    public var fault: Fault

    public init(file: String, line: Int? = nil, fault: Fault) {
        self.file = file
        self.line = line
        self.fault = fault
    }

    /// For instance `thrum.yaml:12: rate: expected a whole number from 8000 to 192000 (Hz), found "5"`.
    public var description: String { file + (line.map { ":\($0)" } ?? "") + ": \(fault)" }
}
