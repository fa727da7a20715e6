import Signals

/// The texture that is played while the pet is stroked, and for a while after a meal: a cat purrs, a dog pants.
struct Purr: Equatable, Sendable {
    /// How long the texture is played after a meal, in real seconds.
    static let meal = 3.0

    private var playing: String?
    private var isStroked = false
    /// When the texture that is played after a meal ends, in seconds since 1970-01-01 in UTC; nil while none is played for a meal.
    private(set) var end: Double?

    /// Returns the cues for touch: those of `usual`, with the pet's texture instead of the tone. The texture plays from the first finger to
    /// the last, and does not change meanwhile.
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

    /// Returns the cues that end the texture of a meal if its end has come at `now`. It also ends if the clock was set back, because it
    /// would otherwise go on too long.
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
    /// The name of the theme's texture for the pet's voice; nil for a dead pet, which has none.
    var texture: String? {
        let voice = species == .cat ? "purr" : "pant"
        return switch health {
        case .healthy: voice + "-healthy"
        case .sick: voice + "-sick"
        case .dead: nil
        }
    }
}
