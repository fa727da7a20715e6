import Fields

/// What is wrong with a file, and where.
public struct FileFault: Error, Equatable, Sendable {
    public var file: String
    /// From 1; nil when it is the whole file.
    public var line: Int?
    /// In characters, from 1; nil when it is the whole line.
    public var column: Int?
    public var fault: Fault
    /// What else is wrong, in the order of lines.
    public private(set) var others: [FileFault] = []

    public init(file: String, line: Int? = nil, column: Int? = nil, fault: Fault) {
        self.file = file
        self.line = line
        self.column = column
        self.fault = fault
    }

    /// All of them as one; nil if there are none.
    public init?(_ faults: [FileFault]) {
        let sorted = faults.flatMap(\.all).sorted()
        guard let first = sorted.first else { return nil }
        self = first
        others = Array(sorted.dropFirst())
    }

    /// This one and the others, each by itself.
    public var all: [FileFault] {
        var own = self
        own.others = []
        return [own] + others
    }
}

extension FileFault: CustomStringConvertible {
    /// A line for each, for instance `thrum.yaml:12: rate: expected a whole number from 8000 to 192000 (Hz), found "5"`.
    public var description: String {
        let place = [file] + [line, column].compactMap { $0 }.map { "\($0)" }
        let own = place.joined(separator: ":") + ": \(fault)"
        return ([own] + others.map(\.description)).joined(separator: "\n")
    }
}

extension FileFault: Comparable {
    /// By file and line.
    public static func < (a: FileFault, b: FileFault) -> Bool {
        (a.file, a.line ?? 0, a.column ?? 0, a.fault.field) < (b.file, b.line ?? 0, b.column ?? 0, b.fault.field)
    }
}
