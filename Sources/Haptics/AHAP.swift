import Fields
import FoundationEssentials
import JSON
import Signals

/// A haptic pattern in Apple's published JSON format, the Apple Haptic and Audio Pattern.
///
/// Meanings, defaults and ranges are those of Apple's "Representing haptic patterns in AHAP files" and CHHapticParameter.h. A missing value
/// takes its default, a value out of range is clamped, and an unknown key is ignored. A malformed value is a `Fault` that names its path,
/// for instance `Pattern[3].Event.Time`.
public struct AHAP: Equatable, Sendable {
    public var pattern: HapticPattern
    /// The paths of keys and parameters that were ignored, because they are unknown.
    public var ignored: [String]

    /// Reads a file's bytes. `soundFile` gets a sound file's path as written in the AHAP file, and returns where the sound file is; nil if
    /// it is missing. Throws a fault that names the path of the wrong value.
    public init(_ bytes: [UInt8], soundFile: (String) -> String? = { $0 }) throws(Fault) {
        // Foundation's lenient decoder crashes on bytes that are not UTF-8, so such bytes are refused first.
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
