/// A metric for monitoring, in Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct Metric: Sendable {
    enum Kind: String, Sendable {
        /// The value now.
        case gauge
        /// A value that only grows, until the daemon or what it counts restarts.
        case counter
    }

    typealias Labels = KeyValuePairs<String, String>

    struct Sample {
        var labels: Labels = [:]
        var value: Double
    }

    /// The metric's name in lower case, with the unit at its end. A counter's name ends in `_total`.
    let name: String
    let kind: Kind
    /// The metric's help, one line without a backslash.
    let help: String
    /// Empty when there is none now.
    let samples: @Sendable (StatusReport) -> [Sample]

    init(_ name: String, _ kind: Kind, _ help: String, _ samples: @escaping @Sendable (StatusReport) -> [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// Writes the metric with its heading, one sample a line; empty when there is no sample.
    func lines(_ report: StatusReport) -> String {
        let samples = samples(report)
        guard !samples.isEmpty else { return "" }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + samples.map { "\(name)\($0)\n" }.joined()
    }
}

extension StatusReport {
    /// Every number and flag, in seconds, hertz and ratios, for Prometheus to read.
    public var metrics: String { StatusField.parts.flatMap(\.fields).compactMap { $0.metric?.lines(self) }.joined() }
}

extension Metric.Sample: CustomStringConvertible {
    var description: String {
        let words = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        return (words.isEmpty ? "" : "{\(words)}") + " " + number
    }

    private var number: String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\".unicodeScalars
            case "\"": result += "\\\"".unicodeScalars
            case "\n": result += "\\n".unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
