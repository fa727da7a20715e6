import Synchronization
import Testing
import Wire

@testable import ControlSocket

@Suite struct ClientListTests {
    private func fill(_ book: inout SlotBook, _ kind: SlotKind) -> Int {
        var count = 0
        while book.admit(kind) != nil { count += 1 }
        return count
    }

    @Test func `guests leave places to pages of this machine, both to operators, and all to the control socket`() {
        var book = SlotBook(limit: 256)
        #expect(fill(&book, .guests) == 176)
        #expect(fill(&book, .pages) == 16)
        #expect(fill(&book, .operators) == 48)
        #expect(fill(&book, .controlSocket) == 16)
        #expect(SlotKind.allCases.allSatisfy { book.admit($0) == nil })
    }

    @Test func `pages of this machine leave places to guests`() {
        var book = SlotBook(limit: 256)
        #expect(fill(&book, .pages) == 96)
        #expect(fill(&book, .guests) == 96)
    }

    @Test func `watchers on the control socket take none of its users' places, and few of the guests'`() {
        var book = SlotBook(limit: 256)
        #expect(fill(&book, .watchers) == 16)
        #expect(fill(&book, .guests) == 160)
        #expect(fill(&book, .pages) == 16)
        #expect(fill(&book, .operators) == 48)
        #expect(fill(&book, .controlSocket) == 16)
    }

    @Test(arguments: [1, 2, 3, 4, 9, 4_096])
    func `guests and operators never take the last places, where there is more than one`(limit: Int) {
        var book = SlotBook(limit: limit)
        let guests = fill(&book, .guests)
        let pages = fill(&book, .pages)
        let operators = fill(&book, .operators)
        #expect(guests >= 1 && (limit < 3 || operators >= 1))
        #expect(fill(&book, .controlSocket) == limit - guests - pages - operators && (limit == 1 || guests + pages + operators < limit))
    }

    @Test func `a place that is left is free for those who may have it, and the issue is over`() throws {
        var book = SlotBook(limit: 16)
        var slots: [SlotBook.Slot] = []
        while let slot = book.admit(.guests) { slots.append(slot) }
        #expect(slots.count == 11 && Set(slots.map(\.client)).count == 11)
        #expect(book.turnedAway == 1)
        #expect(try #require(book.issue).hasPrefix("clients are turned away, because all places are taken that are open to visitors"))
        book.leave(slots[3])
        #expect(book.issue == nil)
        #expect(book.admit(.guests) != nil && book.admit(.guests) == nil)
        #expect(book.turnedAway == 2 && book.issue != nil)
        let page = book.admit(.pages)
        book.leave(try #require(page))
        #expect(book.issue != nil, "what a page of this machine leaves is kept for its like")
    }

    @Test func `whoever comes to the control socket to stop gets in, and the oldest of the spare places goes for it`() {
        var book = SlotBook(limit: 1)
        #expect(fill(&book, .controlSocket) == 1)
        let gone = Mutex<[Int]>([])
        var slots: [SlotBook.Slot] = []
        for number in 0..<20 {
            let (slot, oldest) = book.admitSpare(.controlSocket) { gone.withLock { $0.append(number) } }
            oldest?()
            slots.append(slot)
        }
        #expect(gone.withLock { $0 } == Array(0..<12))
        book.leave(slots[15])
        #expect(book.admitSpare(.controlSocket) {}.oldest == nil)
    }

    @Test func `a watcher pushes out watchers from the spare places, and nobody else`() {
        var book = SlotBook(limit: 1)
        let gone = Mutex<[String]>([])
        _ = book.admitSpare(.controlSocket) { gone.withLock { $0.append("operator") } }
        for number in 0..<9 { book.admitSpare(.watchers) { gone.withLock { $0.append("watcher \(number)") } }.oldest?() }
        #expect(gone.withLock { $0 } == ["watcher 0"])
    }
}
