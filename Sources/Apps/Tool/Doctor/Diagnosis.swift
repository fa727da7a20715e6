/// The finding about one thing that thrumd needs.
struct Diagnosis: Encodable {
    enum Check: String, Encodable { case daemon, sound, devices, limits, disk, config }

    enum Verdict: String, Encodable { case ok, warning, problem }

    var check: Check
    var verdict: Verdict
    var finding: String
    /// What to do about it; nil where nothing is to be done.
    var advice: String?

    static func ok(_ check: Check, _ finding: String) -> Diagnosis { Diagnosis(check: check, verdict: .ok, finding: finding) }

    static func warning(_ check: Check, _ finding: String, advice: String) -> Diagnosis {
        Diagnosis(check: check, verdict: .warning, finding: finding, advice: advice)
    }

    static func problem(_ check: Check, _ finding: String, advice: String) -> Diagnosis {
        Diagnosis(check: check, verdict: .problem, finding: finding, advice: advice)
    }

    /// For people: the verdict and the finding, and under it the advice.
    var lines: [String] {
        let margin = String(repeating: " ", count: 8)
        let words = finding.split(separator: "\n").joined(separator: "\n" + margin)
        let gap = String(repeating: " ", count: margin.count - verdict.rawValue.count)
        return ["\(verdict.rawValue)\(gap)\(check.rawValue): \(words)"] + (advice.map { [margin + $0] } ?? [])
    }

    private enum CodingKeys: CodingKey { case check, verdict, finding, advice }

    /// All four, the advice as null where there is none.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(finding, forKey: .finding)
        try container.encode(advice, forKey: .advice)
    }
}
