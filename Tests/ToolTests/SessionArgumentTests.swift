import Testing
@testable import Tool

@Suite struct SessionArgumentTests {
    @Test func `newest, and newest and a number, say how many sessions came after`() {
        #expect(SessionArgument.place(of: "newest") == 0)
        #expect(SessionArgument.place(of: "newest-3") == 3)
        for word in ["newest-0", "newest-03", "newest-", "newest-x", "newest3", "Newest", "newest.jsonl", "newest-9999999999"] {
            #expect(SessionArgument.place(of: word) == nil, "\(word)")
        }
    }

    @Test func `what is made of a session that was looked up goes to the current directory`() {
        let found = SessionFile(path: "/var/lib/thrum/sessions/a.jsonl", name: "newest", isFound: true)
        #expect(found.output(extension: "wav") == "a.wav")
        #expect(SessionFile(path: "visits/a.jsonl", name: "visits/a.jsonl", isFound: false).output(extension: "svg") == "visits/a.svg")
        #expect(SessionFile(path: "/proc/self/fd/0", name: "standard input", isFound: true).output(extension: "wav") == nil)
    }

    @Test func `a session is called by its file's name, and what comes from standard input by a dash`() {
        #expect(SessionFile(path: "visits/a.b.jsonl", name: "visits/a.b.jsonl", isFound: false).session == "a.b")
        #expect(SessionFile(path: "/var/lib/a.jsonl", name: "newest", isFound: true).session == "a")
        #expect(SessionFile(path: "/proc/self/fd/6", name: "standard input", isFound: true).session == "-")
    }

    @Test func `what is made of a part has the part in its name`() {
        let named = SessionFile(path: "visits/a.b.jsonl", name: "visits/a.b.jsonl", isFound: false)
        #expect(named.output(extension: "wav", part: "-to-0m01.5s") == "visits/a.b-to-0m01.5s.wav")
        let found = SessionFile(path: "/var/lib/a.jsonl", name: "newest", isFound: true)
        #expect(found.output(extension: "svg", part: "-mark-x") == "a-mark-x.svg")
    }
}
