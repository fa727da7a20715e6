import Escaping
import Offline
import Units

/// Measured sessions, as a table for people and as JSON.
struct MeasureReport {
    struct Entry: Encodable {
        var name: String
        var sound: MeasuredSound
        /// What is not as it was recorded, in words.
        var damage: [String]

        private enum CodingKeys: CodingKey { case name, damage }

        func encode(to encoder: any Encoder) throws {
            try sound.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
        }
    }

    private let isCalibrated: Bool
    private(set) var entries: [Entry] = []

    init(isCalibrated: Bool) { self.isCalibrated = isCalibrated }

    mutating func add(_ sound: MeasuredSound, of session: SessionFile, damage: [String] = []) {
        entries.append(Entry(name: session.name, sound: sound, damage: damage))
    }

    /// A line for each session; of one alone, its levels and its spectrum as well.
    var lines: [String] {
        guard !entries.isEmpty else { return [] }
        let table = Self.aligned([heading] + entries.map(row))
        return table + (entries.count == 1 ? details(entries[0].sound) : [])
    }

    private var unit: String { isCalibrated ? "dBA" : "dB(A)" }

    private var heading: [String] {
        ["LUFS", "LU", "dBTP", "RMS", unit, "loudest"] + (isCalibrated ? ["dose"] : []) + ["length", "session"]
    }

    private func row(_ entry: Entry) -> [String] {
        let sound = entry.sound
        return [
            Self.loudness(sound), Report.fixed(sound.range, 1), Self.level(sound.truePeak), Self.level(sound.rms),
            Self.level(sound.weighted), Self.level(sound.loudestSecond),
        ] + (isCalibrated ? ["\(Report.fixed(sound.dose ?? 0, 3)) %"] : []) + [
            Seconds(sound.seconds).clock(1), entry.name + (entry.damage.isEmpty ? "" : "  (\(entry.damage.joined(separator: "; ")))"),
        ]
    }

    private func details(_ sound: MeasuredSound) -> [String] {
        var lines = ["", "time at each level (\(unit) of each second\(isCalibrated ? "" : ", under a sine of full scale at 1 kHz"))"]
        let longest = sound.levels.map(\.seconds).max() ?? 1
        let levels = sound.levels.map { part in
            [part.from.map { "\(Int($0)) to \(Int(part.to))" } ?? "below \(Int(part.to))", Seconds(part.seconds).clock(1),
             Self.bar(part.seconds / longest)]
        }
        lines += Self.aligned(levels)
        let strongest = sound.spectrum.compactMap(\.level).max()
        guard let strongest else { return lines }
        lines += ["", "thirds of an octave (dBFS), down to 40 dB under the strongest"]
        let bands = sound.spectrum.filter { ($0.level ?? -.infinity) > strongest - 40 }
        lines += Self.aligned(bands.map { band in
            ["\(Report.fixed(band.middle, band.middle < 100 && band.middle != band.middle.rounded() ? 1 : 0)) Hz", Self.level(band.level),
             Self.bar(((band.level ?? -.infinity) - strongest + 40) / 40)]
        })
        return lines + ["", "strongest: " + sound.dominant.map { "\(Report.fixed($0.middle, 0)) Hz" }.joined(separator: ", ")]
    }

    private static func loudness(_ sound: MeasuredSound) -> String {
        sound.integrated == nil && sound.truePeak != nil && MeasuredSound.isTooShort(Seconds(sound.seconds)) ? "too short"
            : level(sound.integrated)
    }

    private static func level(_ level: Double?) -> String { level.map { Report.fixed($0, 1) } ?? "silent" }

    /// Of a part, 0…1.
    private static func bar(_ part: Double) -> String { String(repeating: "█", count: max(0, Int((part * 40).rounded()))) }

    /// Columns to the right, the last one to the left.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == columns - 1 ? cell : cell.alignedRight(to: widths[column])
            }.joined(separator: "  ")
        }
    }
}
