import Signals

/// Says whether pages are explored by touch: the parameters of topic `explore.mode`, and the answer to `explore.regions`.
public struct ExploreMode: Codable, Equatable, Sendable {
    public var on: Bool

    public init(on: Bool) { self.on = on }
}

/// The parameters of topic `explore.at`: the region that the exploring finger has come upon; all nil where nothing is under it.
public struct ExploreFinding: Codable, Equatable, Sendable {
    public var id: String?
    /// The text that is spoken; nil also for every other client than the page itself.
    public var label: String?
    public var role: Region.Role?

    public init(_ region: Region?) {
        id = region?.id
        label = region?.label
        role = region?.role
    }
}

/// The parameters of topic `explore.activate`: the region that is to be acted on.
public struct ExploreActivation: Codable, Equatable, Sendable {
    public var id: String

    public init(id: String) { self.id = id }
}
