import NIOPosix
import Synchronization
import Testing
import Wire

@testable import ControlSocket

@Suite struct ClientListTests {
    private func list(_ limit: Int) async throws -> ClientList {
        try await ClientList.open(limit: limit, on: MultiThreadedEventLoopGroup.singleton.next())
    }

    private func fill(_ list: ClientList, _ places: Places) -> Int { (0..<5_000).prefix { _ in list.admit(places) != nil }.count }

    @Test func `guests take three quarters of the places, operators all but a sixteenth, and the control socket has the rest`() async throws {
        let list = try await list(256)
        #expect(fill(list, .guests) == 192)
        #expect(fill(list, .operators) == 48)
        #expect(fill(list, .controlSocket) == 16)
        #expect(list.admit(.guests) == nil && list.admit(.operators) == nil && list.admit(.controlSocket) == nil)
    }

    @Test(arguments: [1, 2, 3, 4, 9, 4_096])
    func `guests and operators never take the last places, where there is more than one`(limit: Int) async throws {
        let list = try await list(limit)
        let guests = fill(list, .guests)
        let operators = fill(list, .operators)
        #expect(guests >= 1 && (limit < 3 || operators >= 1))
        #expect(fill(list, .controlSocket) == limit - guests - operators && (limit == 1 || guests + operators < limit))
    }

    @Test func `a place that is left is free for those who may have it`() async throws {
        let list = try await list(16)
        var places: [ClientList.Place] = []
        while let place = list.admit(.guests) { places.append(place) }
        #expect(places.count == 12 && Set(places.map(\.client)).count == 12)
        list.leave(places[3])
        #expect(list.admit(.guests) != nil && list.admit(.guests) == nil)
    }

    @Test func `whoever comes to the control socket to stop gets in, and the oldest of the spare places goes for it`() async throws {
        let list = try await list(1)
        #expect(fill(list, .controlSocket) == 1)
        let gone = Mutex<[Int]>([])
        let places = (0..<20).map { number in list.admitSpare { gone.withLock { $0.append(number) } } }
        #expect(gone.withLock { $0 } == Array(0..<12))
        list.leave(places[15])
        _ = list.admitSpare {}
        #expect(gone.withLock { $0.count } == 12)
    }
}
