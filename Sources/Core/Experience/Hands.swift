import Fields
import Signals

/// Tracks which fingers are down and which tones and textures clients hold. Returns the cues that most pieces give for touches, tones,
/// chimes and patterns. Each run has one `Hands`, and passes these cues to the piece, which may use them.
///
/// | event | cues |
/// |---|---|
/// | first finger down anywhere | tone on, `touch-down` |
/// | further finger down | `touch-down` |
/// | finger up | `touch-up`; for the last finger, also tone off |
/// | tap | none, because the touches of the finger have given theirs |
/// | tone | pitch and level; the client holds the tone until it releases it |
/// | texture | begins when the first client holds it, ends when the last one releases it |
/// | noise | begins when the first client holds it, ends when the last one releases it; the last level counts |
/// | chime | the chime, and the haptic pattern of the same name if there is one |
/// | haptic | the pattern |
/// | stop | everything off; all holds are released |
/// | left | everything that the client held is released |
public struct Hands: Codable, Equatable, Sendable {
    /// The names of the haptic patterns that every piece plays when a finger touches or leaves the screen. A theme need not have them.
    public static let haptics = ["touch-down", "touch-up"]
    /// The largest number of fingers that can be down at once, all clients together.
    public static let fingerLimit = 64

    private struct Finger: Codable, Hashable {
        var client: Client
        var id: Int
    }

    private var fingers: Set<Finger> = []
    /// The clients that hold the tone: they have switched it on, and not off since.
    private var holders: Set<Client> = []

    private struct Texture: Codable, Hashable {
        var client: Client
        var name: String
    }

    private var textures: Set<Texture> = []
    /// The clients that hold the pink noise.
    private var noiseHolders: Set<Client> = []

    public init() {}

    public var fingerCount: Int { fingers.count }
    public var isHeld: Bool { !fingers.isEmpty || !holders.isEmpty }

    public func isHeld(by client: Client) -> Bool {
        holders.contains(client) || noiseHolders.contains(client) || fingers.contains { $0.client == client }
            || textures.contains { $0.client == client }
    }

    /// The effect of an event that may release something (`EventKind.releases`).
    public enum Release: Sendable {
        /// Something that was held is released: a finger, the tone or a texture of the event's client; all that the client holds when it
        /// leaves; what any client holds for a stop.
        case letsGo
        /// Nothing was held that could be released, but the event changes the tone's pitch or level.
        case retunes
        /// Nothing was held that could be released, and the event changes nothing else.
        case nothing
    }

    /// Returns what `event` would release; nil for an event of a kind that releases nothing, and for a mute, which ends sound but releases
    /// nothing.
    public func release(by event: Event) -> Release? {
        guard event.kind.releases else { return nil }
        // Muting takes the house's sound away, but releases nothing that anybody holds.
        if case .mute = event.kind { return nil }
        let isLetGo = switch event.kind {
        case .touch(let touch): fingers.contains(Finger(client: event.client, id: touch.finger))
        case .tone: holders.contains(event.client)
        case .texture(let name, on: _): textures.contains(Texture(client: event.client, name: name))
        case .noise: noiseHolders.contains(event.client)
        case .stop: isHeld || !textures.isEmpty || !noiseHolders.isEmpty
        case .left: isHeld(by: event.client)
        default: false
        }
        if isLetGo { return .letsGo }
        if case .tone(let request) = event.kind, request.frequency != nil || request.level != nil { return .retunes }
        return .nothing
    }

    /// Returns why `event` cannot be carried out; nil when it can.
    public func refusal(of event: Event, in theme: Theme) -> Fault? {
        switch event.kind {
        case .chime(let name) where theme.chimes[name] == nil: Self.unknown(name, among: theme.chimes.keys, called: "chime")
        case .texture(let name, on: true) where theme.textures[name] == nil:
            Self.unknown(name, among: theme.textures.keys, called: "texture")
        case .haptic(let name) where theme.haptics[name] == nil: Self.unknown(name, among: theme.haptics.keys, called: "pattern")
        case .pattern(let pattern): pattern.refusal
        case .touch(let touch) where touch.phase == .began && fingers.count >= Self.fingerLimit
            && !fingers.contains(Finger(client: event.client, id: touch.finger)):
            Fault(field: "id", expected: "at most \(Self.fingerLimit) fingers down at once", found: "one more")
        default: nil
        }
    }

    private static func unknown(_ name: String, among known: some Collection<String>, called kind: String) -> Fault {
        let expected = known.isEmpty ? "no \(kind), because the theme has none" : "one of " + known.sorted().joined(separator: ", ")
        return Fault(field: "name", expected: expected, found: "\"\(name)\"" + Spelling.hint(for: name, among: known))
    }

    /// Carries out an event that was not refused. Returns its cues; none for an event that is not in the table above.
    public mutating func reduce(_ event: Event, in theme: Theme) -> [Cue] {
        let wasHeld = isHeld
        var cues: [Cue] = []
        switch event.kind {
        case .touch(let touch):
            let finger = Finger(client: event.client, id: touch.finger)
            switch touch.phase {
            case .began where fingers.insert(finger).inserted: cues = [.haptic("touch-down")]
            case .ended where fingers.remove(finger) != nil: cues = [.haptic("touch-up")]
            case .began, .moved, .ended: break
            }
        case .tone(let request):
            if let frequency = request.frequency { cues.append(.tonePitch(frequency, glide: request.glide ?? .zero)) }
            if let level = request.level { cues.append(.toneLevel(level)) }
            if request.on == true { holders.insert(event.client) }
            if request.on == false { holders.remove(event.client) }
        case .chime(let name):
            cues = [.chime(name)]
            if theme.haptics[name] != nil { cues.append(.haptic(name)) }
        case .texture(let name, let on):
            let texture = Texture(client: event.client, name: name)
            let wasPlayed = textures.contains { $0.name == name }
            if on { textures.insert(texture) } else { textures.remove(texture) }
            if wasPlayed != textures.contains(where: { $0.name == name }) { cues = [.texture(name, on: on)] }
        case .noise(let level):
            let wasHeld = !noiseHolders.isEmpty
            if level == nil { noiseHolders.remove(event.client) } else { noiseHolders.insert(event.client) }
            if level != nil || wasHeld && noiseHolders.isEmpty { cues = [.noise(level)] }
        case .haptic(let name):
            cues = [.haptic(name)]
        case .pattern(let pattern):
            cues = [.pattern(pattern)]
        case .stop:
            fingers = []
            holders = []
            textures = []
            noiseHolders = []
            return [.stop]
        case .left:
            fingers = fingers.filter { $0.client != event.client }
            holders.remove(event.client)
            let names = Set(textures.lazy.filter { $0.client == event.client }.map(\.name))
            textures = textures.filter { $0.client != event.client }
            cues = names.subtracting(textures.map(\.name)).sorted().map { .texture($0, on: false) }
            if noiseHolders.remove(event.client) != nil, noiseHolders.isEmpty { cues.append(.noise(nil)) }
        case .tap, .swipe, .action, .knob, .mute, .ceiling, .volume, .theme, .start, .mark, .arrival, .configuration, .tick, .visit,
             .touchOwner: break
        }
        if isHeld != wasHeld { cues.append(.toneGate(open: isHeld)) }
        return cues
    }
}
