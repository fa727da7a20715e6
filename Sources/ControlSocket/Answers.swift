import Synchronization
import Wire

/// The answers to requests that came together, handed on when the last is there.
final class Answers: Sendable {
    /// Requests that want one.
    let wanted: Int
    private let lines = Mutex<[[UInt8]]>([])
    private let complete: @Sendable ([[UInt8]]) -> Void

    init(wanted: Int, complete: @escaping @Sendable ([[UInt8]]) -> Void) {
        self.wanted = wanted
        self.complete = complete
    }

    /// Empty is none.
    func add(_ line: [UInt8]) {
        guard !line.isEmpty else { return }
        let all = lines.withLock { lines in
            lines.append(line)
            return lines.count == wanted ? lines : nil
        }
        if let all { complete(all) }
    }
}

extension Result<UnreadRequest<Call>, ErrorReply> {
    var wantsAnswer: Bool {
        switch self {
        case .success(let request): request.id != nil
        case .failure(let error): error.id != nil
        }
    }
}
