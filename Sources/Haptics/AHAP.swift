import FoundationEssentials
import Signals

/// A pattern in Apple's published JSON format, the Apple Haptic and Audio Pattern.
///
/// Meaning, defaults and ranges are those of Apple's "Representing haptic patterns in AHAP files" and CHHapticParameter.h:
/// what is missing takes its default, what is out of range the nearest value within, keys that are not known are passed
/// over. What is malformed is a `Fault` that names it by its path, for instance `Pattern[3].Event.Time`.
public struct AHAP: Equatable, Sendable {
    public var pattern: HapticPattern
    /// Paths of what was passed over: keys and parameters that are not known.
    public var ignored: [String]

    /// The most entries of a pattern, and as many points of all its curves.
    static let longest = HapticPattern.mostPoints
    /// Of all events together, in seconds: what anybody can wait for.
    static let longestTime = 600.0

    /// `bytes` are the file's. `soundFile` finds a sound file by its path as the file has it; nil if it is not there.
    public init(_ bytes: [UInt8], soundFile: (String) -> String? = { $0 }) throws(Fault) {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so they never get there.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(field: "", expected: "UTF-8 text") }
        do {
            let file = try JSONDecoder().decode(AHAPFile.self, from: Data(bytes))
            pattern = HapticPattern(events: file.entries.flatMap(\.events).sorted { $0.time < $1.time },
                                    controls: file.entries.flatMap(\.controls),
                                    sounds: try file.entries.enumerated().flatMap { try Self.sounds($1, number: $0, soundFile) })
            ignored = file.ignored + file.entries.flatMap(\.ignored)
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "one JSON object", found: "something else")
        }
        try check()
    }

    private static func sounds(_ entry: AHAPEntry, number: Int, _ soundFile: (String) -> String?) throws -> [PatternSound] {
        try entry.sounds.map { sound in
            guard case .file(let path) = sound.source else { return sound }
            guard let found = soundFile(path) else {
                throw Fault(field: "Pattern[\(number)].Event.EventWaveformPath", expected: "a sound file that can be read",
                            found: "\"\(path)\"")
            }
            var sound = sound
            sound.source = .file(found)
            return sound
        }
    }

    /// Sound files of a pattern.
    static let mostFiles = 64

    private func check() throws(Fault) {
        let files = pattern.sounds.filter { if case .file = $0.source { true } else { false } }.count
        guard files <= Self.mostFiles else {
            throw Fault(field: "Pattern", expected: "at most \(Self.mostFiles) AudioCustom events", found: "\(files)")
        }
        let points = pattern.controls.reduce(0) { sum, control in
            if case .curve(let points) = control.shape { sum + points.count } else { sum }
        }
        guard points <= Self.longest else {
            throw Fault(field: "Pattern", expected: "at most \(Self.longest) points in all curves", found: "\(points)")
        }
        let time = pattern.events.reduce(0) { sum, event in
            if case .continuous(let duration) = event.kind { sum + duration.rawValue } else { sum }
        }
        let heard = pattern.sounds.reduce(0) { sum, sound in
            if case .tone(let duration) = sound.source { sum + duration.rawValue } else { sum }
        }
        guard time + heard <= Self.longestTime else {
            throw Fault(field: "Pattern", expected: "at most \(Int(Self.longestTime)) s of continuous events",
                        found: "\(Int(time + heard)) s")
        }
    }
}
