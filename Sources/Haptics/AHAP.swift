import FoundationEssentials
import Signals

/// A pattern in Apple's published JSON format, the Apple Haptic and Audio Pattern.
///
/// Meaning, defaults and ranges are those of Apple's "Representing haptic patterns in AHAP files" and CHHapticParameter.h:
/// what is missing takes its default, what is out of range the nearest value within, keys that are not known are passed
/// over. What is malformed is a `Fault` that names it by its path, for instance `Pattern[3].Event.Time`.
public struct AHAP: Equatable, Sendable {
    public var pattern: HapticPattern
    /// Paths of what was passed over: unknown keys and parameters, and what makes sound, which is not played.
    public var ignored: [String]

    /// The most entries of a pattern, and points of a curve.
    static let longest = 2_000

    /// `bytes` are the file's.
    public init(_ bytes: [UInt8]) throws(Fault) {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so they never get there.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(field: "", expected: "UTF-8 text") }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            let file = try decoder.decode(AHAPFile.self, from: Data(bytes))
            pattern = HapticPattern(events: file.entries.flatMap(\.events).sorted { $0.time < $1.time },
                                    controls: file.entries.flatMap(\.controls))
            ignored = file.ignored + file.entries.flatMap(\.ignored)
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(field: "", expected: "one JSON object", found: "something else")
        }
    }
}
