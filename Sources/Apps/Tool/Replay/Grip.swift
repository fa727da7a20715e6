import Signals

/// The fingers and the tone that a client holds. Its connection must stay open as long.
struct Grip {
    private var fingers: Set<Int> = []
    private var holdsTone = false

    var isEmpty: Bool { fingers.isEmpty && !holdsTone }

    mutating func follow(_ kind: EventKind) {
        switch kind {
        case .touch(let touch) where touch.phase == .began: fingers.insert(touch.finger)
        case .touch(let touch) where touch.phase == .ended: fingers.remove(touch.finger)
        case .tone(let request): holdsTone = request.on ?? holdsTone
        default: break
        }
    }
}
