import Experience
import Fields
import PiggyBank
import Publishing
import Signals
import Testing

/// The rules by which documents are published, on the piggy bank's terms.
@Suite struct PublicationsTests {
    private var book = Publications(PiggyBank.declaration)

    private func body(bonus: Int, capacity: Int = 1_000, stickers: [String] = []) -> JSONValue {
        var terms = Terms()
        (terms.bonus, terms.capacity) = (bonus, capacity)
        guard case .object(var members) = terms.json else { return .null }
        members["stickers"] = .list(stickers.map { .object(["id": .text($0), "price": .integer(5)]) })
        return .object(members)
    }

    private mutating func propose(_ body: JSONValue, by name: String = "anna", having memories: [JSONValue] = []) throws -> Int {
        try book.propose(try book.judge("terms", body, memories), by: name, at: 100).version
    }

    private mutating func approve(_ version: Int, by name: String = "ben", having memories: [JSONValue] = []) throws {
        _ = try book.approve(try book.judge("terms", version: version, memories), by: name, at: 200)
    }

    private mutating func publish(_ version: Int, by name: String = "anna", having memories: [JSONValue] = []) throws {
        _ = try book.publish(try book.judge("terms", version: version, memories), by: name, at: 300)
    }

    private mutating func release(_ body: JSONValue) throws -> DocumentVersion {
        let number = try propose(body)
        try approve(number)
        try publish(number)
        return try book.version(number, of: "terms")
    }

    @Test mutating func `a document is in force when one has proposed it, another approved it, and somebody published it`() throws {
        #expect(try book.inForce("terms").version == 0 && book.inForce("terms").body == Terms().json && book.allInForce == [])
        let number = try propose(body(bonus: 3))
        try approve(number)
        #expect(try book.inForce("terms").version == 0)
        try publish(number)
        #expect(try book.inForce("terms").body == body(bonus: 3))
        #expect(book.allInForce == [PublishedDocument(kind: "terms", version: 1, body: body(bonus: 3))])
        #expect(try book.history("terms") == [DocumentVersion(
            kind: "terms", version: 1, former: 0, body: #"{"bonus":3,"capacity":1000,"stickers":[]}"#,
            proposed: DocumentVersion.Step(by: "anna", at: 100), approved: DocumentVersion.Step(by: "ben", at: 200),
            published: DocumentVersion.Step(by: "anna", at: 300))])
    }

    @Test mutating func `nobody publishes alone`() throws {
        let number = try propose(body(bonus: 3))
        #expect(throws: Fault(field: "version", expected: "a version that somebody else than its proposer has approved",
                              found: "1, which is proposed")) { try publish(number) }
        #expect(throws: Fault(field: "version", expected: "one that somebody else than anna has proposed: two people publish",
                              found: "1, which anna has proposed")) { try approve(number, by: "anna") }
        #expect(throws: Fault.self, "by another capital letter nobody becomes two people") { try approve(number, by: "Anna") }
        #expect(try book.version(number, of: "terms").state == .proposed && book.inForce("terms").version == 0)
        try approve(number)
        #expect(throws: Fault(field: "version", expected: "a version that is proposed, and not yet approved",
                              found: "1, which is approved")) { try approve(number, by: "carl") }
    }

    @Test mutating func `a bad document cannot be proposed, and each fault names its field`() throws {
        let objections = #expect(throws: Objections.self) { try propose(body(bonus: 2_000)) }
        #expect(objections?.faults == [Fault(field: "terms.bonus", expected: "a whole number from 0 to 1000", found: "2000")])
        _ = try release(body(bonus: 0, stickers: ["star"]))
        let memories = [PiggyBank.Memory(sum: 40).json, PiggyBank.Memory(sum: 70).json]
        let both = #expect(throws: Objections.self) { try propose(body(bonus: 1, capacity: 50), having: memories) }
        #expect(both?.description == "terms.capacity: expected 70 or more, which a household has, found 50; "
            + "terms.stickers: expected star, which is there already, found nothing")
        #expect(throws: Objections(Fault(field: "kind", expected: "one of terms", found: "\"prices\""))) {
            try book.judge("prices", .object([:]), [])
        }
        #expect(throws: Fault(field: "terms", expected: "another document than version 1, which is in force", found: "the same")) {
            try propose(body(bonus: 0, stickers: ["star"]))
        }
        #expect(try book.history().count == 1)
    }

    @Test mutating func `what households have by now counts when it is approved, and when it is published`() throws {
        let number = try propose(body(bonus: 1, capacity: 50))
        let rich = [PiggyBank.Memory(sum: 51).json]
        #expect(throws: Objections.self) { try approve(number, having: rich) }
        try approve(number)
        #expect(throws: Objections.self) { try publish(number, having: rich) }
        #expect(try book.version(number, of: "terms").state == .approved)
    }

    @Test mutating func `a version follows the one that it was compared with, and no other`() throws {
        let (first, second) = (try propose(body(bonus: 1)), try propose(body(bonus: 2)))
        try approve(first)
        try approve(second)
        let judged = try book.judge("terms", version: second, [])
        try publish(second)
        #expect(throws: Fault(field: "version", expected: "one that was proposed after 2, which is in force; propose it anew",
                              found: "1, which was proposed after 0")) { try publish(first) }
        // Also where both were judged before.
        #expect(throws: Fault.self) { try book.publish(judged, by: "ben", at: 400) }
        let stale = try book.judge("terms", body(bonus: 9), [])
        _ = try release(body(bonus: 4))
        #expect(throws: Fault(field: "version", expected: "nobody to publish another terms meanwhile", found: "version 3")) {
            try book.propose(stale, by: "anna", at: 500)
        }
    }

    @Test mutating func `a rollback is a new version with the former's bytes`() throws {
        let first = try release(body(bonus: 1, stickers: []))
        _ = try release(body(bonus: 2))
        let back = try propose(Publications.value(first.body), by: "carl")
        try approve(back, by: "anna")
        try publish(back)
        let third = try book.version(back, of: "terms")
        #expect(third.version == 3 && Array(third.body.utf8) == Array(first.body.utf8) && third.proposed.by == "carl")
        #expect(try book.inForce("terms").body == body(bonus: 1))
    }

    @Test mutating func `what is withdrawn never comes back, and its number is not given out again`() throws {
        let number = try propose(body(bonus: 1))
        _ = try book.withdraw(number, of: "terms", by: "anna", at: 150)
        #expect(throws: Fault.self) { try approve(number) }
        #expect(try propose(body(bonus: 1)) == 2)
        let third = try release(body(bonus: 5))
        #expect(throws: Fault(field: "version", expected: "a version that is proposed or approved", found: "3, which is published")) {
            try book.withdraw(third.version, of: "terms", by: "anna", at: 400)
        }
        let before = book
        let lost = try book.propose(try book.judge("terms", body(bonus: 6), []), by: "anna", at: 1)
        book.revert(lost, to: before)
        #expect(throws: Fault(field: "version", expected: "one of 1, 2, 3", found: "4")) { try book.version(lost.version, of: "terms") }
        #expect(try propose(body(bonus: 7)) == 5)
    }

    @Test mutating func `what was published elsewhere is applied in its order, once, and nothing else is`() throws {
        var elsewhere = Publications(PiggyBank.declaration)
        swap(&book, &elsewhere)
        for bonus in 1...3 {
            // Numbers need not be without a gap.
            _ = try propose(body(bonus: 900 + bonus))
            _ = try release(body(bonus: bonus))
        }
        let published = try book.history("terms").filter { $0.state == .published }
        swap(&book, &elsewhere)
        #expect(published.map(\.version) == [2, 4, 6] && published.map(\.former) == [0, 2, 4])
        func apply(_ version: DocumentVersion) throws {
            let applied = try book.apply(version, try book.judge("terms", Publications.value(version.body), []))
            #expect(applied == version && book.has(version))
        }
        #expect(throws: Fault(field: "version", expected: "one that follows 0, which is in force here: versions come in their order",
                              found: "4, which follows 2")) { try apply(published[1]) }
        for version in [0, 1, 1, 0] { try apply(published[version]) }
        #expect(try book.inForce("terms").version == 4)
        // Another of the same number, and one that one person made alone.
        let forged = DocumentVersion(kind: "terms", version: 6, former: 4, body: published[2].body, proposed: published[2].proposed,
                                     approved: published[2].proposed, published: published[2].published)
        #expect(throws: Fault.self) { try apply(forged) }
        let other = DocumentVersion(kind: "terms", version: 4, former: 2, body: published[2].body, proposed: published[1].proposed,
                                    approved: published[1].approved, published: published[1].published)
        #expect(throws: Fault(field: "version", expected: "version 4 of terms as it is here already", found: "another of that number")) {
            try apply(other)
        }
        try apply(published[2])
        #expect(try book.history("terms") == published && book.inForce("terms").body == body(bonus: 3))
    }

    @Test mutating func `a draft of this machine gives its number to what was published elsewhere, and stays under another`() throws {
        var elsewhere = Publications(PiggyBank.declaration)
        let draft = try propose(body(bonus: 77), by: "carl")
        let before = book
        swap(&book, &elsewhere)
        let published = try release(body(bonus: 1))
        swap(&book, &elsewhere)
        #expect(draft == published.version)
        _ = try book.apply(published, try book.judge("terms", Publications.value(published.body), []))
        #expect(try book.inForce("terms").body == body(bonus: 1))
        let moved = try book.version(2, of: "terms")
        #expect(try moved.proposed.by == "carl" && moved.body == before.version(1, of: "terms").body)
        #expect(book.changes(since: before) == [published, moved])
        // It was a change of what is not in force any more.
        #expect(throws: Fault.self) { try approve(2) }
        // What was not kept has not happened.
        for version in book.changes(since: before) { book.revert(version, to: before) }
        #expect(try book.history() == before.history())
    }

    @Test mutating func `what was kept is all there is to know, in any order`() throws {
        _ = try release(body(bonus: 1))
        _ = try release(body(bonus: 2))
        _ = try propose(body(bonus: 3))
        let again = Publications(PiggyBank.declaration, try book.history().reversed())
        #expect(try again.history() == book.history() && again.allInForce == book.allInForce)
    }
}
