import Fields
import Foundation
import TestSupport
import Testing
@testable import Wire

/// A reader of the text format as https://prometheus.io/docs/instrumenting/exposition_formats/ has it, which lets nothing pass.
private struct Exposition {
    struct Malformed: Error, CustomStringConvertible { var description: String }

    /// By name and labels, `name{key="value"}`, labels in the order of their names.
    var values: [String: Double] = [:]
    var types: [String: String] = [:]
    var names: [String] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(description: "no newline at the end") }
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = try /# HELP ([a-z_:][a-z0-9_:]*) ([^\\]+)/.wholeMatch(in: line) {
                guard !names.contains(String(match.1)) else { throw Malformed(description: "twice: \(line)") }
                names.append(String(match.1))
            } else if let match = try /# TYPE ([a-z_:][a-z0-9_:]*) (gauge|counter)/.wholeMatch(in: line) {
                guard names.last == String(match.1), types[String(match.1)] == nil else { throw Malformed(description: "out of order: \(line)") }
                types[String(match.1)] = String(match.2)
            } else if let match = try /([a-z_:][a-z0-9_:]*)(?:\{((?s:.)+)\})? ([^ ]+)/.wholeMatch(in: line) {
                guard names.last == String(match.1), types[String(match.1)] != nil else { throw Malformed(description: "no type: \(line)") }
                let labels = try match.2.map { try Self.labels($0) } ?? [:]
                guard let value = Double(match.3) else { throw Malformed(description: "no number: \(line)") }
                let key = match.1 + (labels.isEmpty ? "" : "{" + labels.sorted { $0.key < $1.key }.map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}")
                guard values.updateValue(value, forKey: String(key)) == nil else { throw Malformed(description: "twice: \(line)") }
            } else {
                throw Malformed(description: String(line))
            }
        }
    }

    private static func labels(_ text: Substring) throws -> [String: String] {
        var rest = text
        var labels: [String: String] = [:]
        while let match = try /([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/.prefixMatch(in: rest) {
            let value = String(match.2).replacing(/\\(.)/) { $0.1 == "n" ? "\n" : String($0.1) }
            guard labels.updateValue(value, forKey: String(match.1)) == nil else { throw Malformed(description: "twice: \(text)") }
            rest = rest[match.range.upperBound...]
        }
        guard rest.isEmpty else { throw Malformed(description: String(text)) }
        return labels
    }
}

@Suite struct MetricsTests {
    /// Numbers that the settings choose and nothing measures: channels, a visitor's share of a dose, and what a country allows.
    private static let unmeasured: Set = [
        ".devices.transducers[0]", ".house.hearing.rules.session", ".house.hearing.rules.country.level", ".house.hearing.rules.country.minutes",
    ]

    private func motor(_ node: String, touchToEffect: Double?) -> StatusReport.Motor {
        StatusReport.Motor(name: "pad", node: node, drive: .rumble, slots: 16, held: 9, plays: 1234, missed: 5, uploads: 9,
                           touchToEffectMilliseconds: touchToEffect, issue: nil)
    }

    @Test func `numbers are told in seconds and ratios, flags as 0 and 1`() throws {
        var report = Example.status
        report.uptimeSeconds = 86_400.5
        report.output.state = .connected
        report.output.isRevising = false
        report.output.latency.touchToSoundMilliseconds = 2.5
        report.output.latency.clockErrorMicroseconds = 40
        report.output.latency.driftPartsPerMillion = -12.5
        report.output.counters.underruns = 9_007_199_254_740_992
        report.house.hearing?.dayDose = 62.5
        report.house.hearing?.equivalent = 82.96
        (report.house.ceiling.level, report.house.ceiling.setting) = (-30, -1)
        report.house.volumeByHand?.level = -12
        report.issues = ["one", "two"]
        let metrics = try Exposition(report.metrics)
        #expect(metrics.values["thrum_up"] == 1)
        #expect(metrics.values["thrum_uptime_seconds"] == 86_400.5)
        #expect(metrics.values["thrum_output_connected"] == 1)
        #expect(metrics.values["thrum_output_revising"] == 0)
        #expect(metrics.values["thrum_touch_to_sound_seconds"] == 0.0025)
        #expect(metrics.values["thrum_clock_error_seconds"] == 40e-6)
        #expect(metrics.values["thrum_clock_drift_ratio"] == -12.5e-6)
        #expect(metrics.values["thrum_underruns_total"] == 9_007_199_254_740_992)
        #expect(metrics.values["thrum_hearing_day_dose_ratio"] == 0.625)
        #expect(metrics.values["thrum_hearing_day_equivalent_decibels"] == 82.96)
        #expect(metrics.values["thrum_volume_by_hand_decibels"] == -12)
        #expect(metrics.values["thrum_muted"] == 1 && metrics.values["thrum_ceiling_by_hand"] == 1)
        #expect(metrics.values["thrum_ceiling_decibels"] == -30 && metrics.values["thrum_ceiling_setting_decibels"] == -1)
        #expect(metrics.values["thrum_issues"] == 2)
        report.output.state = .waiting
        #expect(try Exposition(report.metrics).values["thrum_output_connected"] == 0)
    }

    @Test func `between visitors the session is 0, and what there is not is left out`() throws {
        var report = Example.status
        report.session = nil
        report.house.hearing = nil
        report.devices.motors = []
        report.devices.touchscreens = []
        let metrics = try Exposition(report.metrics)
        for name in ["thrum_session_active", "thrum_session_seconds", "thrum_session_events", "thrum_session_held", "thrum_motors"] {
            #expect(metrics.values[name] == 0, "\(name)")
        }
        #expect(!metrics.names.contains { $0.hasPrefix("thrum_hearing") || $0.hasPrefix("thrum_motor_") || $0.hasPrefix("thrum_touchscreen_") })
    }

    @Test func `each device is told apart`() throws {
        var report = Example.status
        report.devices.motors = [motor("/dev/input/event7", touchToEffect: 1.5), motor("/dev/input/event8", touchToEffect: nil)]
        let metrics = try Exposition(report.metrics)
        #expect(metrics.values[#"thrum_motor_plays_total{name="pad",node="/dev/input/event7"}"#] == 1234)
        #expect(metrics.values[#"thrum_motor_plays_total{name="pad",node="/dev/input/event8"}"#] == 1234)
        #expect(metrics.values[#"thrum_motor_touch_to_effect_seconds{name="pad",node="/dev/input/event7"}"#] == 0.0015)
        #expect(metrics.values[#"thrum_motor_touch_to_effect_seconds{name="pad",node="/dev/input/event8"}"#] == nil)
        #expect(metrics.values["thrum_motors"] == 2)
    }

    @Test(arguments: ["a \"sink\"", "back\\slash", "two\nlines", "\\n", "\"", "Lautsprecher für ♪", "\r\n", "a,b=\"c\"} 1"])
    func `a label can be anything`(name: String) throws {
        var report = Example.status
        report.output.sink = name
        report.output.kind = .pulse
        let metrics = try Exposition(report.metrics)
        #expect(metrics.values["thrum_output_info{kind=\"pulse\",server=\"\",sink=\"\(name)\"}"] == 1)
    }

    @Test func `numbers that are none are told as Prometheus spells them`() throws {
        func text(_ value: Double) -> String { Metric.Sample(value: value).description }
        #expect(text(.nan) == " NaN" && text(.infinity) == " +Inf" && text(-.infinity) == " -Inf")
        #expect(text(3) == " 3" && text(-0.5) == " -0.5" && text(1e-7) == " 1e-07")
    }

    @Test func `names are as Prometheus wants them`() throws {
        let metrics = try Exposition(Example.status.metrics)
        #expect(metrics.types.count > 50)
        for (name, type) in metrics.types {
            #expect(name.hasPrefix("thrum_"))
            #expect(name.hasSuffix("_total") == (type == "counter"), "\(name)")
        }
    }

    /// A report in which nothing is left out that has a metric.
    private var full: StatusReport {
        var full = Example.status
        full.house.opensAt = 1_800_000_000
        full.house.nextChange = 1_800_000_000
        full.house.hearing?.level = 70
        full.house.hearing?.equivalent = 71
        full.devices.motors = [motor("/dev/input/event7", touchToEffect: 1.5)]
        return full
    }

    @Test func `every number and flag of the status report is there`() throws {
        let full = full
        let whole = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(full))
        var paths: [String] = []
        /// `value` with one number or flag changed, in all ways, each with its path.
        func changes(of value: JSONValue, at path: String) -> [(path: String, value: JSONValue)] {
            switch value {
            case .flag(let flag): [(path, .flag(!flag))]
            case .integer(let number): [(path, .integer(number + 1))]
            case .number(let number): [(path, .number(number + 1))]
            case .null, .text: []
            case .list(let list):
                list.indices.flatMap { index in
                    changes(of: list[index], at: path + "[\(index)]").map { change in
                        var list = list
                        list[index] = change.value
                        return (change.path, .list(list))
                    }
                }
            case .object(let object):
                object.flatMap { key, value in
                    changes(of: value, at: path + "." + key).map { change in
                        var object = object
                        object[key] = change.value
                        return (change.path, .object(object))
                    }
                }
            }
        }
        for (path, value) in changes(of: whole, at: "") {
            paths.append(path)
            let report = try JSONDecoder().decode(StatusReport.self, from: JSONEncoder().encode(value))
            #expect((report.metrics != full.metrics) == !Self.unmeasured.contains(path), "\(path)")
        }
        #expect(paths.count > 40 && paths.contains(".output.latency.marginMilliseconds") && paths.contains(".session.isHeld"))
    }

    @Test func `the documentation lists every metric, its labels, its kind and its meaning`() throws {
        let tables = StatusField.parts.map { part in
            let rows = part.fields.compactMap(\.metric).map { metric in
                let labels = metric.samples(full).first.map { $0.labels.map(\.key) } ?? []
                let name = metric.name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}")
                return "| `\(name)` | \(metric.kind.rawValue) | \(metric.help) |\n"
            }
            return "### \(part.heading)\n\n| metric | kind | meaning |\n|---|---|---|\n\(rows.joined())\n"
        }
        #expect(try GeneratedText.isWritten(tables.joined(), in: "docs/metrics.md", at: "metrics"), "make docs writes it anew")
    }

    @Test func `every field of the status report has its meaning, and once`() {
        let fields = paths(of: Shape(of: Example.status), at: [])
        let said = StatusField.parts.flatMap(\.fields).map(\.path).filter { !$0.isEmpty }
        #expect(Set(said).count == said.count, "twice")
        #expect(Set(fields.leaves).subtracting(said) == [], "not said")
        #expect(Set(said).subtracting(fields.leaves + fields.objects) == [], "not a field")
        #expect(fields.leaves.contains("output.underruns") && fields.leaves.contains("devices.motors.touchToEffectMilliseconds"))
    }

    /// The paths of a shape's fields that hold no others, and of those that do.
    private func paths(of shape: Shape, at path: [String]) -> (leaves: [String], objects: [String]) {
        let name = path.joined(separator: ".")
        return switch shape {
        case .object(let fields):
            fields.reduce(into: ([], path.isEmpty ? [] : [name])) { all, field in
                let inner = paths(of: field.value.shape, at: path + [field.key])
                all.leaves += inner.leaves
                all.objects += inner.objects
            }
        case .list(let element?): paths(of: element, at: path)
        default: ([name], [])
        }
    }

    @Test(arguments: ["status.output.latency.queuedMilliseconds", "output.latency.queuedMilliseconds",
                      "subscribe.snapshot.status.output.latency.queuedMilliseconds"])
    func `a field has one meaning, whichever method answers it`(path: String) {
        let names = path == "output.latency.queuedMilliseconds" ? ["output.latency", "queuedMilliseconds"]
            : path.split(separator: ".").map(String.init)
        #expect(FieldGuide([]).meaning(of: names, isText: false)?.about == "sound that is rendered ahead")
    }
}
