import Fields
import Testing

@Suite struct SpellingTests {
    /// Distances by hand, of the optimal string alignment.
    @Test(arguments: [
        ("queu", "queue"), ("qeueu", "queue"), ("slient", "silent"), ("stpo", "stop"), ("statsu", "status"), ("chme", "chime"),
        ("reder", "render"), ("toast-cooldwon", "toast-cooldown"),
    ])
    func `a slip of a letter or two is known`(slip: String, meant: String) {
        let names = ["chime", "queue", "render", "silent", "status", "stop", "toast-cooldown", "tone"]
        #expect(Spelling.nearest(to: slip, among: names) == meant)
        #expect(Spelling.hint(for: slip, among: names) == " (did you mean \(meant)?)")
    }

    @Test(arguments: ["fly", "stxy", "", "queue", "ｑueue", "q\u{301}ueue", String(repeating: "queue", count: 13)])
    func `what is far from every name, or is one, has no hint`(name: String) {
        #expect(Spelling.nearest(to: name, among: ["queue", "stop", "tap"]) == nil)
        #expect(Spelling.hint(for: name, among: ["queue", "stop", "tap"]) == "")
    }

    @Test func `of two that are as near the first by alphabet is meant, and of others the nearer`() {
        #expect(Spelling.nearest(to: "bat", among: ["rat", "cat"]) == "cat")
        #expect(Spelling.nearest(to: "render", among: ["sender", "rendre"]) == "rendre")
    }
}
