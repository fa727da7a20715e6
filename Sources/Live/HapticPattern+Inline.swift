import FoundationEssentials
import Haptics
import Signals
import Wire

extension HapticPattern {
    /// What a front end sent in Core Haptics' format. Throws `Fault` that names the field.
    init(inline ahap: JSONValue) throws(Fault) {
        do {
            self = try AHAP([UInt8](try JSONEncoder().encode(ahap))).pattern
        } catch let fault as Fault {
            throw Fault(field: fault.field.isEmpty ? "ahap" : "ahap." + fault.field, expected: fault.expected, found: fault.found)
        } catch {
            throw Fault(field: "ahap", expected: "an AHAP object")
        }
    }
}
