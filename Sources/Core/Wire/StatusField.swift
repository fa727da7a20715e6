import Signals

/// A field of the answer to `status`: what it holds, and its metric. Its description in OpenRPC and in docs/reference, its lines for
/// Prometheus and its row in docs/metrics.md are made out of it.
struct StatusField: Sendable {
    /// The names that lead to it, as `output.latency.queuedMilliseconds`; what is in a list has no number. Empty for what only a metric
    /// tells.
    let path: String
    /// What it holds, for people: a phrase without a full stop.
    let about: String
    let metric: Metric?

    /// Every field, by the headings of docs/metrics.md.
    static let parts: [(heading: String, fields: [StatusField])] = [
        ("The daemon", daemon + kiosk), ("Sound", output), ("Sessions", session), ("Devices", devices), ("The house", house),
    ]

    /// What fields hold, by the paths that they have from a method on: from `status`, and from those that answer a part of it alone.
    static let meanings: [String: String] = parts.flatMap(\.fields).reduce(into: [:]) { meanings, field in
        meanings["status." + field.path] = field.about
        for (part, method) in answeredAlone where field.path.hasPrefix(part) {
            meanings[method + field.path.dropFirst(part.count)] = field.about
        }
    }

    private static let answeredAlone = ["devices.": "device.list.", "output.latency.": "output.latency.",
                                        "session.": "session.status.session."]
}

/// Ways to declare a field. `also` is said of the field, and not of its metric, which has units of its own.
extension StatusField {
    /// A field without a metric.
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

    /// The fields that are declared with their counters. `path` leads to the object that has them.
    static func counters<Counters>(_ path: String, _ fields: [CounterField<Counters>],
                                   _ counters: any KeyPath<StatusReport, Counters> & Sendable) -> [StatusField] {
        fields.map { field in
            .counter("\(path).\(field.name)", field.meaning, field.metric) { Double($0[keyPath: counters][keyPath: field.value]) }
        }
    }

    /// The metric is 1 for yes, 0 for no.
    static func flag(_ path: String, _ about: String, also: String? = nil, _ metric: String,
                     _ value: @escaping @Sendable (StatusReport) -> Bool) -> StatusField {
        gauge(path, about, also: also, metric) { value($0) ? 1 : 0 }
    }

    /// The metric has words as labels; its value is always 1.
    static func info(_ path: String, _ about: String, _ metric: String,
                     _ labels: @escaping @Sendable (StatusReport) -> Metric.Labels) -> StatusField {
        samples(path, about, metric, .gauge) { [Metric.Sample(labels: labels($0), value: 1)] }
    }
}
