import Experience
import TestSupport
import Testing
import Unhooked
import Wire

@testable import Live

/// Who is told of a household, who may enter, and who may end what others are at.
@Suite struct StageSecretsTests {
    private let scratch: Scratch
    private let rig: StageRig

    init() throws {
        scratch = try Scratch()
        rig = try StageRig(Unhooked.self, state: scratch.file("state"))
    }

    /// In how many seconds the same may be asked again.
    private func wait(_ answer: String?) -> Double? {
        guard let rest = answer?.components(separatedBy: #""retryAfter":"#).dropFirst().first else { return nil }
        return Double(rest.prefix { "0123456789.".contains($0) })
    }

    /// Why it was refused; nil where it was not, or its answer waits for the sound.
    private func enter(_ client: Int, _ household: String, _ secret: String? = nil) async throws -> String? {
        let fields = #"{"household":"\#(household)"\#(secret.map { #","secret":"\#($0)""# } ?? "")}"#
        return reason(try await rig.ask(client, "unhooked.enter", fields))
    }

    /// The same where a secret is hashed first. Waits until the household is there, or it was refused.
    private func enterBySecret(_ client: Int, _ household: String, _ secret: String) async throws -> String? {
        let answers = try await rig.plan(client, "unhooked.enter", #"{"household":"\#(household)","secret":"\#(secret)"}"#)
        for _ in 0..<2_000 where answers.all.isEmpty {
            let state = try await rig.ask(client, "unhooked.state", "{}")
            if state?.contains(#""household":"\#(household)""#) == true { return nil }
            try await Task.sleep(for: .milliseconds(5))
        }
        return answers.all.first
    }

    @Test func `names and money go to operators and to the client that came in the household's name`() async throws {
        let roles: [(client: Int, role: Role)] = [(1, .visitor), (2, .visitor), (3, .operator), (4, .player), (5, .watch)]
        var told: [Int: Lines] = [:]
        for (client, role) in roles {
            told[client] = try await rig.connect(client, as: role)
            _ = try await rig.ask(client, "subscribe", "{}")
        }
        #expect(try await enter(1, "Ada Lovelace") == nil)
        _ = try await rig.ask(1, "unhooked.report", #"{"minutes":30}"#)
        func lines(_ client: Int, _ topic: String) -> [String] { told[client]?.all.filter { $0.contains(#""method":"\#(topic)""#) } ?? [] }
        for client in [1, 3] { #expect(lines(client, "pet").last?.contains("Ada Lovelace") == true && lines(client, "pet").last?.contains(#""gems":"#) == true) }
        for client in [2, 4, 5] {
            let all = try #require(told[client]?.all)
            #expect(!all.isEmpty && all.allSatisfy { !$0.contains("Ada") }, "\(client): \(all)")
            #expect(lines(client, "pet").last?.contains(#""fullness":"#) == true && lines(client, "pet").last?.contains(#""gems":"#) == false)
            let answers = [try await rig.ask(client, "unhooked.state", "{}"), try await rig.ask(client, "unhooked.shop", "{}"),
                           try await rig.ask(client, "subscribe", "{}")].compactMap { $0 }
            #expect(answers.count == 3 && answers.allSatisfy { !$0.contains("Ada") && !$0.contains(#""canBuy""#) && !$0.contains(#""energyDue""#) })
        }
        #expect(reason(try await rig.ask(2, "unhooked.ledger", "{}")) == "not-allowed")
        #expect(try await rig.ask(1, "unhooked.ledger", "{}")?.contains("wallet.energy") == true)
        #expect(try await rig.ask(1, "subscribe", "{}")?.contains("Ada Lovelace") == true)
        try await rig.disconnect(1)
        _ = try await rig.connect(6)
        #expect(try await rig.ask(6, "unhooked.state", "{}")?.contains("Ada") == false, "the next connection is no guest's")
        try await rig.stop()
    }

    @Test func `movements are told to whoever may know of money`() async throws {
        var told: [Int: Lines] = [:]
        for client in 1...2 {
            told[client] = try await rig.connect(client)
            _ = try await rig.ask(client, "subscribe", #"{"topics":["movement"]}"#)
        }
        // Both are told of the house's own welcome gift, and of a household's only its guest.
        #expect(try await enter(1, "Ada") == nil)
        #expect(told[1]?.all.count == 2 && told[2]?.all.count == 1, "\(told)")
        #expect(told[1]?.all.first == told[2]?.all.first && told[1]?.all.allSatisfy { $0.contains(#""kind":"welcome""#) } == true)
        try await rig.stop()
    }

    @Test func `a new household has the secret by which it enters first, and others need it to enter and to spend`() async throws {
        for client in 1...3 { _ = try await rig.connect(client) }
        _ = try await rig.connect(9, as: .operator)
        #expect(try await enterBySecret(1, "Ada", "sesame") == nil)
        // Its own client may say it again or not, and nobody else may spend.
        #expect(try await enter(1, "Ada") == nil)
        let meal = #"{"food":"kibble","key":"a","household":"Ada"}"#
        #expect(reason(try await rig.ask(2, "unhooked.feed", meal)) == "secret-needed")
        #expect(reason(try await rig.ask(2, "unhooked.adopt", #"{"species":"dog","household":"Ada"}"#)) == "secret-needed")
        #expect(try await enter(2, "Ada") == "secret-needed")
        let wrong = try #require(try await rig.askPatiently(2, "unhooked.enter", #"{"household":"Ada","secret":"simsim"}"#))
        #expect(reason(wrong) == "secret-wrong" && wait(wrong) == 1 && !wrong.contains("simsim") && !wrong.contains("sesame"))
        // The right one, too, is not compared before the client's own time has come; another client's is at once.
        #expect(reason(try await rig.ask(2, "unhooked.enter", #"{"household":"Ada","secret":"sesame"}"#)) == "too-fast")
        #expect(try await enterBySecret(3, "Ada", "sesame") == nil)
        #expect(reason(try await rig.ask(2, "unhooked.feed", meal)) == "secret-needed")
        #expect(try await enter(9, "Ada") == nil, "an operator needs none")
        let status = try await [rig.ask(9, "status", "{}"), rig.ask(9, "log.list", "{}"), rig.ask(9, "client.list", "{}")].compactMap { $0 }
        #expect(status.count == 3 && status.allSatisfy { !$0.contains("sesame") && !$0.contains("simsim") })
        try await rig.stop()
        #expect(try run("/bin/grep", ["-c", "-r", "-a", "sesame", scratch.path]).text.split(separator: "\n").allSatisfy { $0.hasSuffix(":0") })
    }

    @Test func `counters of money are told to whoever may know of money, one at a time and in the list`() async throws {
        let roles: [(client: Int, role: Role)] = [(1, .visitor), (2, .visitor), (3, .operator), (4, .player), (5, .watch)]
        for (client, role) in roles { _ = try await rig.connect(client, as: role) }
        #expect(try await enter(1, "Ada") == nil)
        for (client, role) in roles {
            let sees = client == 1 || client == 3
            let list = try #require(try await rig.ask(client, "param.list", "{}"))
            #expect(list.contains(#""fullness""#) && list.contains(#""day-minutes""#), "\(role)")
            for name in ["energy", "gems", "movements"] {
                #expect(list.contains("\"\(name)\"") == sees, "\(client): \(name)")
                let one = try await rig.ask(client, "param.get", #"{"name":"\#(name)"}"#)
                #expect(reason(one) == (sees ? nil : "not-allowed") && one?.contains(#""value""#) == sees, "\(client): \(one ?? "")")
            }
            let unknown = try await rig.ask(client, "param.get", #"{"name":"nothing"}"#)
            // A knob has the word in its name, which tells nothing of a household.
            #expect(unknown?.replacing("away-gems", with: "").contains("gems") == sees, "\(client): \(unknown ?? "")")
        }
        try await rig.stop()
    }

    @Test func `a household with a secret is left as its guests want it, and one without to everybody but its money`() async throws {
        for (client, role) in [(1, Role.visitor), (2, .visitor), (3, .player), (9, .operator)] { _ = try await rig.connect(client, as: role) }
        let deeds = [("report", #"{"minutes":720}"#), ("limit", #"{"minutes":15}"#), ("remember", #"{"pet":1}"#),
                     ("wear", #"{"category":"hat"}"#)]
        #expect(try await enter(1, "Bob") == nil)
        for client in 2...3 {
            for (method, fields) in deeds { #expect(reason(try await rig.ask(client, "unhooked." + method, fields)) != "secret-needed", "\(method)") }
            #expect(reason(try await rig.ask(client, "unhooked.feed", #"{"food":"kibble","key":"a","household":"Bob"}"#)) == "not-allowed")
        }
        #expect(try await enter(2, "Bob") == nil)
        #expect(reason(try await rig.ask(2, "unhooked.feed", #"{"food":"kibble","key":"a","household":"Bob"}"#)) == nil)
        #expect(try await enterBySecret(1, "Ada", "sesame") == nil)
        for client in 2...3 {
            for (method, fields) in deeds { #expect(reason(try await rig.ask(client, "unhooked." + method, fields)) == "secret-needed", "\(method)") }
        }
        for client in [1, 9] { #expect(reason(try await rig.ask(client, "unhooked.limit", #"{"minutes":90}"#)) == nil) }
        try await rig.stop()
    }

    @Test func `who only plays is told of no money in what is refused, also where it has entered`() async throws {
        for (client, role) in [(1, Role.visitor), (3, .player)] { _ = try await rig.connect(client, as: role) }
        for client in [1, 3] { #expect(try await enter(client, "Ada") == nil) }
        let feast = #"{"cosmetic":"crown","key":"a","household":"Ada"}"#
        let (told, untold) = (try await rig.askPatiently(1, "unhooked.buy", feast), try await rig.askPatiently(3, "unhooked.buy", feast))
        #expect(told?.contains("found 0") == true && untold?.contains("found less") == true, "\(told ?? "") \(untold ?? "")")
        try await rig.stop()
    }

    @Test func `operators set, change and remove a secret, and who came by the one before has to enter again`() async throws {
        for client in 1...2 { _ = try await rig.connect(client) }
        _ = try await rig.connect(9, as: .operator)
        #expect(try await enter(1, "Ada") == nil)
        let unasked = try await rig.ask(1, "unhooked.enter", #"{"household":"Ada","secret":"mine"}"#)
        #expect(reason(unasked) == "not-now" && unasked?.contains("because this household has none") == true)
        #expect(try await rig.askPatiently(9, "household.secret", #"{"household":"Ada","secret":"badge 7"}"#)?.contains("result") == true)
        #expect(try await rig.ask(1, "unhooked.state", "{}")?.contains("Ada") == false)
        #expect(try await enter(1, "Ada") == "secret-needed")
        #expect(try await enterBySecret(1, "Ada", "badge 7") == nil)
        #expect(try await rig.askPatiently(9, "household.secret", #"{"household":"Ada"}"#)?.contains("result") == true)
        #expect(try await enter(2, "Ada") == nil)
        for wrong in [#"{"household":"home","secret":"a"}"#, #"{"household":"home"}"#] {
            #expect(reason(try await rig.ask(9, "household.secret", wrong)) == "not-now")
        }
        try await rig.stop()
    }

    @Test func `who has not said the secret is told no money by counters, and changes nothing of the household's day`() async throws {
        for client in 1...2 { _ = try await rig.connect(client) }
        #expect(try await rig.ask(2, "param.get", #"{"name":"gems"}"#)?.contains("result") == true, "the house's own are everybody's")
        #expect(try await enterBySecret(1, "Ada", "sesame") == nil)
        for (client, isTold) in [(1, true), (2, false)] {
            #expect(try await rig.ask(client, "param.list", "{}")?.contains(#""name":"gems""#) == isTold)
            #expect(try await rig.ask(client, "param.get", #"{"name":"energy"}"#)?.contains("result") == isTold)
            #expect(try await rig.ask(client, "param.get", #"{"name":"mood"}"#)?.contains("result") == true)
        }
        for (method, fields) in [("unhooked.report", #"{"minutes":720}"#), ("unhooked.limit", #"{"minutes":15}"#)] {
            #expect(reason(try await rig.ask(2, method, fields)) == "secret-needed")
            #expect(reason(try await rig.ask(1, method, fields)) == nil)
        }
        try await rig.stop()
    }

    @Test func `names that are refused use up no new ones, and a household with a secret is none`() async throws {
        for client in 1...2 { _ = try await rig.connect(client) }
        _ = try await rig.connect(9, as: .operator)
        #expect(try await enter(1, "Ada") == nil)
        for name in 0..<30 {
            let client = 100 + name
            _ = try await rig.connect(client)
            #expect(try await enter(client, "guess \(name)") == "not-yet")
            try await rig.disconnect(client)
        }
        #expect(try await enter(1, "Bob") == nil, "the twenty of these credentials are there")
        #expect(try await rig.askPatiently(9, "household.secret", #"{"household":"Carl","secret":"badge 7"}"#)?.contains("result") == true)
        #expect(try await enterBySecret(1, "Carl", "badge 7") == nil)
        try await rig.stop()
    }

    @Test func `a secret that was given with an entering that was refused is not kept`() async throws {
        for client in 1...2 { _ = try await rig.connect(client) }
        // Another comes and is at it while it is hashed.
        let answers = try await rig.plan(2, "unhooked.enter", #"{"household":"Bob","secret":"b"}"#)
        #expect(try await enter(1, "Ada") == nil)
        #expect(reason(try await answers.first()) == "not-yet", "\(answers.all)")
        let isKept = try await rig.stage.loop.submit { [stage = rig.stage] in
            stage.assumeIsolated { $0.kept.secret(of: "unhooked", household: "Bob") != nil }
        }.get()
        #expect(!isKept)
        #expect(try await enter(1, "Bob") == nil, "nobody is kept out by it")
        try await rig.stop()
    }

    @Test func `a household whose removal began while its secret was compared does not enter`() async throws {
        _ = try await rig.connect(1)
        #expect(try await enterBySecret(1, "Ada", "sesame") == nil)
        _ = try await rig.ask(1, "unhooked.enter", "{}")
        let answers = try await rig.plan(1, "unhooked.enter", #"{"household":"Ada","secret":"sesame"}"#) {
            $0.desks.households.keepOut(["Ada"])
        }
        let answer = try await answers.first()
        #expect(reason(answer) == "busy" && answer?.contains("being removed") == true, "\(answer ?? "")")
        #expect(try await rig.ask(1, "unhooked.state", "{}")?.contains("Ada") == false)
        try await rig.stop()
    }

    @Test func `one guest does not throw out another, and operators may`() async throws {
        for client in 1...2 { _ = try await rig.connect(client) }
        _ = try await rig.connect(9, as: .operator)
        #expect(try await enter(1, "Ada") == nil)
        for fields in [#"{"household":"Bob"}"#, #"{"household":"Bob","secret":"b"}"#, "{}"] {
            let refused = try await rig.ask(2, "unhooked.enter", fields)
            #expect(reason(refused) == "not-yet" && (15...20).contains(wait(refused) ?? 0) && refused?.contains("Ada") == false, "\(refused ?? "")")
        }
        #expect(try await enter(1, "Bob") == nil, "its own client goes when it likes")
        #expect(try await enter(9, "Carl") == nil)
        try await rig.stop()
    }

    @Test func `whoever sets the volume and the mute keeps no visitor from ending a session`() async throws {
        for (client, role) in [(1, Role.visitor), (2, .volume), (9, .operator)] { _ = try await rig.connect(client, as: role) }
        _ = try await rig.ask(1, "touch", #"{"phase":"began"}"#)
        for client in [2, 9] {
            for (method, parameters) in [("volume.set", #"{"level":-\#(client)}"#), ("output.mute", #"{"on":true}"#)] {
                _ = try await rig.ask(client, method, parameters)
            }
        }
        #expect(reason(try await rig.ask(1, "session.end", "{}")) == nil)
        try await rig.stop()
    }

    @Test func `a visitor and who only plays end no session that others are at, and operators may`() async throws {
        for (client, role) in [(1, Role.visitor), (2, .visitor), (3, .player), (9, .operator)] { _ = try await rig.connect(client, as: role) }
        _ = try await rig.ask(1, "touch", #"{"phase":"began"}"#)
        for client in 2...3 {
            let refused = try await rig.ask(client, "session.end", "{}")
            #expect(reason(refused) == "not-yet" && (5...10).contains(wait(refused) ?? 0), "\(refused ?? "")")
        }
        #expect(reason(try await rig.ask(1, "session.end", "{}")) == nil)
        _ = try await rig.ask(1, "touch", #"{"phase":"began"}"#)
        #expect(reason(try await rig.ask(9, "session.end", "{}")) == nil)
        try await rig.stop()
    }
}
