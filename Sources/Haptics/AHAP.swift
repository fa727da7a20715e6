import Fields
import FoundationEssentials
import JSON
import Signals

/// A pattern in Apple's published JSON format, the Apple Haptic and Audio Pattern.
///
/// Meaning, defaults and ranges are those of Apple's "Representing haptic patterns in AHAP files" and CHHapticParameter.h:
/// what is missing takes its default, what is out of range the nearest value within, keys that are not known are passed
/// over. What is malformed is a `Fault` that names it by its path, for instance `Pattern[3].Event.Time`.
public struct AHAP: Equatable, Sendable {
    public var pattern: HapticPattern
    /// Paths of the keys and parameters that were ignored because they are not known.
    public var ignored: [String]

    /// Reads a file's bytes. `soundFile` finds a sound file by its path as the file has it; nil if it is not there.
    public init(_ bytes: [UInt8], soundFile: (String) -> String? = { $0 }) throws(Fault) {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so they never get there.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Fault(field: "", expected: "UTF-8 text") }
        do {
            let decoder = JSONDecoder()
            decoder.userInfo[.strangersWanted] = true
            let file = try decoder.decode(AHAPFile.self, from: Data(bytes))
            pattern = try file.pattern(soundFile)
            ignored = file.ignored
        } catch let fault as Fault {
            throw fault
        } catch {
            let line = JSONText.line(ofFaultIn: bytes).map { "line \($0)" } ?? ""
            throw Fault(field: line, expected: "one JSON object", found: "something else")
        }
    }
}
