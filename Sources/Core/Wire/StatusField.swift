import Signals

/// A field of the answer to `status`: its meaning and its metric. The description in OpenRPC and in docs/reference, the lines for
/// Prometheus, and the row in docs/metrics.md are made from it.
struct StatusField: Sendable {
    /// The field's path, such as `output.latency.queuedMilliseconds`. A list on the way has no index in the path. Empty for a metric
    /// without a field.
    let path: String
    /// The field's meaning, for people: a phrase without a full stop.
    let about: String
    let metric: Metric?

    /// All fields, under the headings of docs/metrics.md.
    static let parts: [(heading: String, fields: [StatusField])] = [
        ("The daemon", daemon + kiosk), ("Sound", output), ("Sessions", session), ("Devices", devices), ("The house", house),
    ]

    /// The meanings of fields by their paths. These paths begin with a method: `status`, or one of the methods that answer only a part of
    /// it.
    static let meanings: [String: String] = parts.flatMap(\.fields).reduce(into: [:]) { meanings, field in
        meanings["status." + field.path] = field.about
        for (part, method) in answeredAlone where field.path.hasPrefix(part) {
            meanings[method + field.path.dropFirst(part.count)] = field.about
        }
    }

    private static let answeredAlone = ["devices.": "device.list.", "output.latency.": "output.latency.",
                                        "session.": "session.status.session."]
}

/// Functions that declare fields. The text `also` is added to the field's meaning, but not to that of the metric, whose units differ.
extension StatusField {
    /// Declares a field without a metric.
    static func field(_ path: String, _ about: String) -> StatusField { StatusField(path: path, about: about, metric: nil) }

    static func samples(_ path: String, _ about: String, also: String? = nil, _ metric: String, _ kind: Metric.Kind,
                        _ samples: @escaping @Sendable (StatusReport) -> [Metric.Sample]) -> StatusField {
        StatusField(path: path, about: about + (also.map { ", \($0)" } ?? ""),
                    metric: Metric(metric, kind, about.prefix(1).uppercased() + about.dropFirst() + ".", samples))
    }

    static func gauge(_ path: String, _ about: String, also: String? = nil, _ metric: String,
                      _ value: @escaping @Sendable (StatusReport) -> Double?) -> StatusField {
        samples(path, about, also: also, metric, .gauge) { report in value(report).map { [Metric.Sample(value: $0)] } ?? [] }
    }

    static func counter(_ path: String, _ about: String, also: String? = nil, _ metric: String,
                        _ value: @escaping @Sendable (StatusReport) -> Double) -> StatusField {
        samples(path, about, also: also, metric, .counter) { [Metric.Sample(value: value($0))] }
    }

    /// Declares a field for each counter. `path` leads to the object that contains the counters.
    static func counters<Counters>(_ path: String, _ fields: [CounterField<Counters>],
                                   _ counters: any KeyPath<StatusReport, Counters> & Sendable) -> [StatusField] {
        fields.map { field in
            .counter("\(path).\(field.name)", field.meaning, field.metric) { Double($0[keyPath: counters][keyPath: field.value]) }
        }
    }

    /// Declares a flag. Its metric is 1 for yes and 0 for no.
    static func flag(_ path: String, _ about: String, also: String? = nil, _ metric: String,
                     _ value: @escaping @Sendable (StatusReport) -> Bool) -> StatusField {
        gauge(path, about, also: also, metric) { value($0) ? 1 : 0 }
    }

    /// Declares a field whose metric has texts as labels. The metric's value is always 1.
    static func info(_ path: String, _ about: String, _ metric: String,
                     _ labels: @escaping @Sendable (StatusReport) -> Metric.Labels) -> StatusField {
        samples(path, about, metric, .gauge) { [Metric.Sample(labels: labels($0), value: 1)] }
    }
}

/// A metric for monitoring, written in the text format 0.0.4 of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/).
struct Metric: Sendable {
    enum Kind: String, Sendable {
        /// A present value, which may rise and fall.
        case gauge
        /// A value that only grows, until the daemon or the counted thing restarts.
        case counter
    }

    typealias Labels = KeyValuePairs<String, String>

    struct Sample {
        var labels: Labels = [:]
        var value: Double
    }

    /// The metric's name, in lower case, with the unit at its end. The name of a counter ends in `_total`.
    let name: String
    let kind: Kind
    /// The metric's help text: one line without a backslash.
    let help: String
    /// Returns the metric's samples; none when there is nothing to report now.
    let samples: @Sendable (StatusReport) -> [Sample]

    init(_ name: String, _ kind: Kind, _ help: String, _ samples: @escaping @Sendable (StatusReport) -> [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// Writes the metric with its heading, and one line for each sample; empty when there are no samples.
    func lines(_ report: StatusReport) -> String {
        let samples = samples(report)
        guard !samples.isEmpty else { return "" }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + samples.map { "\(name)\($0)\n" }.joined()
    }
}

extension StatusReport {
    /// All numbers and flags, in seconds, hertz and ratios, in Prometheus' text format.
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
