import Wire

/// Requests whose answer waits for the render thread.
struct Asked {
    private var waiting: [Int: (RequestID, ([UInt8]) -> Void)] = [:]
    private var last = 0

    mutating func ask(_ id: RequestID, _ reply: @escaping @Sendable ([UInt8]) -> Void) -> Int {
        last += 1
        waiting[last] = (id, reply)
        return last
    }

    mutating func take(_ ticket: Int) -> (RequestID, ([UInt8]) -> Void)? { waiting.removeValue(forKey: ticket) }
}
