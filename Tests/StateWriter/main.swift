// Writes to a state store for ever, to be killed while it does: StateWriter DIRECTORY NUMBER.
//
// First it prints what it finds: "open ENTRIES LAST MEMORY". Then it commits an entry and a memory of each number from NUMBER on, four at
// a time, and prints "kept NUMBER" when they are committed, or "known NUMBER" when the ledger had the entry already. The memory that it
// writes with a known entry is the one that it found, because a piece never puts back an older memory.

import Experience
import Glibc
import StateStore
import SystemPackage

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

let words = CommandLine.arguments
guard words.count == 3, let first = Int(words[2]) else { exit(64) }
let store = StateStore(in: FilePath(words[1]))
if let reason = store.open().unread { say("unread \(reason)") }
for damage in store.damage { say("damage \(damage.reason)") }
let entries = try await store.ledger(atMost: 1_000_000)
say("open \(entries.count) \(entries.last?.entry.key ?? "-") \(store.memory(piece: "pet", household: "7") ?? "-")")

let found = entries.last.flatMap { Int($0.entry.key) } ?? 0
let filler = String(repeating: "x", count: 600)
var number = first
while true {
    let last = number + 3
    while number < last {
        commit(number)
        number += 1
    }
    // Those before it are committed when this one is.
    await withCheckedContinuation { continuation in commit(last) { continuation.resume() } }
    number += 1
}

func commit(_ number: Int, then: @escaping @Sendable () -> Void = {}) {
    let meal = Transfer(number, of: "food", from: "bowl", to: "pet")
    let entry = LedgerEntry(key: "\(number)", kind: "meal", transfers: [meal], note: .text(filler))
    let memory = Change.remember(piece: "pet", household: "7", body: "\(max(number, found))")
    store.commit([.append(LedgerRow(piece: "pet", household: "7", entry)), memory]) { result in
        switch result {
        case .success(let commit): say(commit.known.isEmpty ? "kept \(number)" : "known \(number)")
        case .failure(let problem): say("failed \(problem)")
        }
        then()
    }
}
