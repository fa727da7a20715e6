import Escaping
import Experience
import Wire

/// Lays out the live view as lines of a terminal.
extension LiveView {
    /// The width of the labels, in columns.
    private static let labelWidth = 10

    /// Returns at most `height` lines of at most `width` columns.
    func lines(width: Int, height: Int, at now: Instant) -> [String] {
        var present = [header(now)]
        present += issues(width: width, at: now)
        present += ["", pieceRow, session(now), house, tone]
        present += meters(width: width)
        present += [fingers, mute]
        present += output
        present += [touchscreens, haptics]
        // An empty line separates the present state from the latest events; the last line says what keys do.
        let hint = controls.hint(waiting: waiting)
        let past = shown.prefix(max(0, height - present.count - 2)).map { happened($0, now) }
        let all = past.isEmpty ? present : present + [""] + past
        let room = max(0, height - 1)
        let filled = all.prefix(room) + Array(repeating: "", count: max(0, room - all.count)) + [hint]
        return filled.prefix(max(0, height)).map { Self.cut($0.printable, to: width) }
    }

    private var pieceRow: String {
        let glance = declaration?.snapshot?.glance ?? []
        let words = glance.compactMap { field in piece[field.field].map { "\(field.label) \($0.short)" } }
        return row("piece", status.experience + (words.isEmpty ? "" : ": " + words.joined(separator: ", ")))
    }

    private var house: String {
        let dose = status.house.hearing.map {
            ", dose \($0.sessionDose.fixed(1)) % (day \($0.dayDose.fixed(1)) %)"
        } ?? ""
        return row("house", "theme \(status.house.theme), preset \(status.house.preset)\(status.house.isByHand ? " by hand" : "")\(dose)")
    }

    private func header(_ now: Instant) -> String {
        "thrumd \(status.version), up \(Self.clock(begun.duration(to: now))), clients: \(status.clients)"
    }

    /// Returns the issues in full. They are at the top, so that even a small terminal shows them.
    private func issues(width: Int, at now: Instant) -> [String] {
        let silence = heard.duration(to: now)
        let unheard = silence < .seconds(3) ? [] : ["no word from thrumd for \(silence.components.seconds) s"]
        return (unheard + status.issues).flatMap { issue in
            let parts = Self.wrapped(issue, to: width - Self.labelWidth)
            return parts.enumerated().map { row($0.offset == 0 ? "ISSUE" : "", $0.element) }
        }
    }

    private func session(_ now: Instant) -> String {
        guard let sessionBegun else { return row("session", "none; sessions so far: \(status.sessions)") }
        let journal = status.session?.journal ?? ""
        let name = journal.split(separator: "/").last.map { ", \($0)" } ?? ""
        let held = state.isHeld ? ", held" : ""
        let time = Self.clock(sessionBegun.duration(to: now))
        return row("session", "running for \(time), events: \(status.session?.events ?? 0)\(held)\(name)")
    }

    private var tone: String {
        let sound = state.tone.isOpen ? "open" : "closed"
        // Before the first session the tone has no pitch and no level.
        guard state.tone.frequency > 0 else { return row("tone", sound) }
        return row("tone", "\(sound), \(state.tone.frequency.fixed(1)) Hz, \(state.tone.level.fixed(1)) dBFS")
    }

    private func meters(width: Int) -> [String] {
        // The rest of the line is for the label, the number, and the highest recent peak.
        let columns = min(60, max(6, width - 36))
        let peak = Self.level(meter.level.peak) + meter.peakBar(columns: columns)
        let held = meter.held > -120 ? "  held \(meter.held.fixed(1))" : ""
        return [row("peak", peak + held), row("rms", Self.level(meter.level.rms) + meter.rmsBar(columns: columns))]
    }

    private var fingers: String {
        row("fingers", state.fingers == 0 ? "none" : "\(state.fingers)  " + String(repeating: "●", count: state.fingers))
    }

    private var mute: String { row("mute", "\(state.isMuted ? "ON" : "off"), ceiling \(state.ceiling.fixed(1)) dBFS") }

    private var output: [String] {
        let output = status.output
        let way = OutputText.words(output, state.output)
        var rows = [row("output", "\(way), \(output.sampleRate) Hz" + (output.isRealtime ? ", real-time priority" : ""))]
        if let server = output.server, let sink = output.sink { rows.append(row("server", "\(server), sink \(sink)")) }
        let sound = output.latency.touchToSoundMilliseconds.fixed(1)
        let margin = output.latency.marginMilliseconds.fixed(1)
        let queued = output.latency.queuedMilliseconds.fixed(0)
        rows.append(row("latency", "touch to sound \(sound) ms, margin \(margin) ms, queued \(queued) ms"))
        return rows
    }

    private var touchscreens: String {
        let names = status.devices.touchscreens.map(\.name)
        return row("touch", names.isEmpty ? "no touchscreen" : names.joined(separator: ", "))
    }

    private var haptics: String {
        let transducers = status.devices.transducers.map { "transducer on channel \($0)" }
        let names = status.devices.motors.map(\.name) + transducers
        return row("haptics", names.isEmpty ? "no haptic device" : names.joined(separator: ", "))
    }

    private func happened(_ it: Happened, _ now: Instant) -> String {
        let seconds = it.at.duration(to: now).components.seconds
        let age = seconds < 60 ? "\(seconds) s" : seconds < 3600 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
        return age.alignedRight(to: 8) + "  " + it.text
    }

    private func row(_ label: String, _ text: String) -> String {
        label.padded(to: Self.labelWidth) + text
    }

    private static func level(_ decibels: Double) -> String {
        (decibels > -120 ? "\(decibels.fixed(1)) dBFS" : "silent").padded(to: 13)
    }

    /// Returns a duration, for instance `0:07` or `1:02:03`.
    private static func clock(_ time: Duration) -> String {
        let seconds = max(0, time.components.seconds)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(seconds % 60)
    }

    /// Breaks `text` into lines of at most `width` columns, if possible between words.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        let width = max(1, width)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").map(String.init) {
            if !line.isEmpty, line.columns + 1 + word.columns > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
            while line.columns > width {
                // A character that is wider than the line gets a line of its own.
                let fitting = line.start(to: width)
                let start = fitting.isEmpty ? String(line.prefix(1)) : fitting
                lines.append(start)
                line.removeFirst(start.count)
            }
        }
        return lines + [line]
    }

    private static func cut(_ line: String, to width: Int) -> String {
        line.columns <= width ? line : line.start(to: width - 1) + "…"
    }
}
