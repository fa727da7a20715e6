import Foundation
import GRDB
import Publishing
import SystemPackage
import Testing
import TestSupport

@testable import StateStore

/// Versions of documents in the database.
@Suite struct DocumentTests {
    private func store(_ scratch: Scratch) -> StateStore { StateStore(in: FilePath(scratch.file("state"))) }

    private func step(_ name: String, _ time: Int) -> DocumentVersion.Step { DocumentVersion.Step(by: name, at: time) }

    private func kept(_ number: Int, _ body: String = #"{"cure":120}"#, approved: DocumentVersion.Step? = nil,
                      published: DocumentVersion.Step? = nil, withdrawn: DocumentVersion.Step? = nil) -> KeptDocument {
        KeptDocument(piece: "pet", version: DocumentVersion(kind: "prices", version: number, former: number - 1, body: body,
                                                            proposed: step("anna", 100), approved: approved, published: published,
                                                            withdrawn: withdrawn))
    }

    @Test func `a version is there at the next start with every step that was committed, to the byte`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = first.open()
        let body = "{\"naïve\":\"\\u0000 \\\"✓\\\"\",\"x\":-0.0}"
        _ = try await first.commit([.keep(kept(1, body))])
        _ = try await first.commit([.keep(kept(1, body, approved: step("ben", 200)))])
        _ = try await first.commit([.keep(kept(1, body, approved: step("ben", 200), published: step("anna", 300)))])
        // All that comes while the disk is busy is one commit.
        first.commit([.keep(kept(2))]) { _ in }
        first.commit([.keep(kept(2, withdrawn: step("carl", 400)))]) { _ in }
        #expect(first.close())
        let expected = [kept(1, body, approved: step("ben", 200), published: step("anna", 300)), kept(2, withdrawn: step("carl", 400))]
        #expect(store(scratch).open().documents == expected)
    }

    @Test func `what was written stays as it was, whatever is said of it later`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.keep(kept(1, approved: step("ben", 200)))])
        _ = try await first.commit([.keep(kept(1, "[]", approved: step("carl", 201)))])
        #expect(first.close())
        let next = store(scratch)
        #expect(next.open().documents == [kept(1, approved: step("ben", 200))])
        _ = try await next.commit([.keep(kept(1, approved: step("ben", 200), published: step("ben", 300)))])
        await #expect(throws: NotKept.self, "published again as something else") {
            try await next.commit([.keep(self.kept(1, "[]", approved: self.step("ben", 200), published: self.step("ben", 300)))])
        }
        #expect(next.close())
        let database = try DatabaseQueue(path: scratch.file("state/state.sqlite"))
        for sql in ["UPDATE document SET body = '1'", "DELETE FROM document", "UPDATE document_step SET name = 'x'", "DELETE FROM document_step"] {
            #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: sql) } }
        }
    }

    @Test func `a draft gives its number to what was published elsewhere`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = try await first.commit([.keep(kept(1, #"{"cure":99}"#, approved: step("carl", 150)))])
        let foreign = kept(1, approved: step("ben", 200), published: step("anna", 300))
        let moved = kept(2, #"{"cure":99}"#, approved: step("carl", 150))
        _ = try await first.commit([.keep(moved), .keep(foreign)])
        #expect(first.close())
        #expect(store(scratch).open().documents == [foreign, moved])
    }

    @Test func `the database itself refuses what one person publishes`() async throws {
        let scratch = try Scratch()
        let store = store(scratch)
        for document in [kept(1, approved: step("anna", 200)), kept(1, published: step("ben", 200))] {
            await #expect(throws: NotKept.self) { try await store.commit([.keep(document)]) }
        }
        #expect(store.issues.first?.contains("nothing is published that nobody has approved") == true)
        #expect(store.close())
        #expect(self.store(scratch).open().documents == [])
    }

    @Test func `a document that was damaged is noticed at the start`() async throws {
        for table in ["document", "document_step"] {
            let scratch = try Scratch()
            let first = store(scratch)
            _ = try await first.commit([.keep(kept(1, approved: step("ben", 200)))])
            #expect(first.close())
            let database = try DatabaseQueue(path: scratch.file("state/state.sqlite"))
            try await database.write { db in
                try db.execute(sql: "DROP TRIGGER \(table)_stays; UPDATE \(table) SET sum = sum + 1")
            }
            try database.close()
            let next = store(scratch)
            #expect(next.open().documents == [] && next.damage.count == 1, "\(table)")
        }
    }

    @Test func `a database that is removed meanwhile is begun anew with the documents`() async throws {
        let scratch = try Scratch()
        let first = store(scratch)
        _ = first.open()
        _ = try await first.commit([.keep(kept(1, approved: step("ben", 200)))])
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.file("state")) where name.hasPrefix("state.sqlite") {
            try FileManager.default.removeItem(atPath: scratch.file("state/\(name)"))
        }
        _ = try await first.commit([.keep(kept(2))])
        #expect(first.close())
        #expect(store(scratch).open().documents == [kept(1, approved: step("ben", 200)), kept(2)])
    }
}
