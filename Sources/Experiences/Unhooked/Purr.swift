import Signals

/// The texture that is played while the pet is stroked, and for a while after a meal: a cat purrs, a dog pants.
struct Purr: Equatable, Sendable {
    /// The time for which the texture goes on after a meal, in real seconds.
    static let meal = 3.0

    private var playing: String?
    private var isStroked = false
    /// When a meal's is over, in seconds since 1970-01-01 in UTC; nil after it.
    private(set) var end: Double?

    /// What hands give, with the pet's texture in the tone's place: from the first finger to the last, and as it was when it began.
    mutating func stroke(_ usual: [Cue], _ pet: Pet) -> [Cue] {
        usual.flatMap { cue -> [Cue] in
            switch cue {
            case .toneGate(open: let isOpen):
                isStroked = isOpen
                return isOpen ? start(pet) : stopUnlessWanted()
            case .stop:
                self = Purr()
                return [cue]
            default: return [cue]
            }
        }
    }

    mutating func eat(_ pet: Pet, until end: Double) -> [Cue] {
        self.end = end
        return start(pet)
    }

    /// The time has come to `now`. A clock that was set back ends it too, because it would go on for as long as the clock went back.
    mutating func digest(until now: Double) -> [Cue] {
        guard let end, now >= end || end - now > Self.meal else { return [] }
        self.end = nil
        return stopUnlessWanted()
    }

    mutating func stop() -> [Cue] {
        end = nil
        defer { playing = nil }
        return playing.map { [.texture($0, on: false)] } ?? []
    }

    private mutating func start(_ pet: Pet) -> [Cue] {
        guard playing == nil, let texture = pet.texture else { return [] }
        playing = texture
        return [.texture(texture, on: true)]
    }

    private mutating func stopUnlessWanted() -> [Cue] { isStroked || end != nil ? [] : stop() }
}

extension Pet {
    /// The theme's texture for its voice; nil for none.
    var texture: String? {
        let voice = species == .cat ? "purr" : "pant"
        return switch health {
        case .healthy: voice + "-healthy"
        case .sick: voice + "-sick"
        case .dead: nil
        }
    }
}
