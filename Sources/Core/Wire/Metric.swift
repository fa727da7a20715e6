import Signals

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
    /// Reads the metric's samples from a report; empty when there are none now.
    private let samples: @Sendable (StatusReport) -> [Sample]

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
    /// Writes all metrics in Prometheus' text format.
    public var metrics: String { Metric.all.map { $0.lines(self) }.joined() }
}

extension Metric {
    /// Every number and flag of a status report, in seconds, hertz and ratios. A new one is a line beside its field, and one in
    /// docs/metrics.md.
    static let all: [Metric] = daemon + kiosk + output + session + devices + house

    static func counters<Counters>(_ fields: [CounterField<Counters>],
                                   _ counters: any KeyPath<StatusReport, Counters> & Sendable) -> [Metric] {
        fields.map { field in .counter(field.metric, field.meaning) { Double($0[keyPath: counters][keyPath: field.value]) } }
    }

    static func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable (StatusReport) -> Double?) -> Metric {
        Metric(name, .gauge, help) { report in value(report).map { [Sample(value: $0)] } ?? [] }
    }

    static func counter(_ name: String, _ help: String, _ value: @escaping @Sendable (StatusReport) -> Double) -> Metric {
        Metric(name, .counter, help) { [Sample(value: value($0))] }
    }

    /// A gauge that is 1 for yes and 0 for no.
    static func flag(_ name: String, _ help: String, _ value: @escaping @Sendable (StatusReport) -> Bool) -> Metric {
        Metric(name, .gauge, help) { [Sample(value: value($0) ? 1 : 0)] }
    }

    /// A gauge that has words as its labels, and is always 1.
    static func info(_ name: String, _ help: String, _ labels: @escaping @Sendable (StatusReport) -> Labels) -> Metric {
        Metric(name, .gauge, help) { [Sample(labels: labels($0), value: 1)] }
    }

    /// A sample for each force-feedback device, with its name and node.
    static func motor(_ name: String, _ kind: Kind, _ help: String,
                      _ value: @escaping @Sendable (StatusReport.Motor) -> Double?) -> Metric {
        Metric(name, kind, help) { report in
            report.devices.motors.compactMap { motor in
                value(motor).map { Sample(labels: ["name": motor.name, "node": motor.node], value: $0) }
            }
        }
    }
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
