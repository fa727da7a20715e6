import Fields

/// A named part of what a page shows, for people who explore the page by touch. Positions and sizes are fractions of the page's width and
/// height, 0…1.
public struct Region: Equatable, Sendable {
    /// The kind of thing that a region is. Each role has an earcon (a short chime) of its own.
    public enum Role: String, CaseIterable, Codable, Sendable {
        case button, slider, toggle, image, heading, text

        /// The name of the theme's chime that is played when a finger comes upon a region of this role.
        public var earcon: String { "explore-" + rawValue }

        /// Whether something happens when a region of this role is activated.
        public var acts: Bool {
            switch self {
            case .button, .slider, .toggle: true
            case .image, .heading, .text: false
            }
        }
    }

    /// The largest number of regions on a page.
    public static let most = 64
    /// The largest number of characters in an id, and in a label.
    public static let idLimit = 64, labelLimit = 160

    /// The name by which the page knows the region. It is unique on the page.
    public var id: String
    /// The text that a screen reader speaks.
    public var label: String
    public var role: Role
    /// The positions of the region's left edge and of its upper edge.
    public var x, y: Double
    public var width, height: Double

    public init(id: String, label: String, role: Role, x: Double, y: Double, width: Double, height: Double) {
        self.id = id
        self.label = label
        self.role = role
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var area: Double { width * height }

    /// Returns whether a position is in the region, or at most `tolerance` outside its edges.
    public func contains(_ x: Double, _ y: Double, tolerance: Double = 0) -> Bool {
        (self.x - tolerance...self.x + width + tolerance).contains(x) && (self.y - tolerance...self.y + height + tolerance).contains(y)
    }
}

extension Region: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["id", "label", "role", "x", "y", "width", "height"])
        self.init(id: try fields.text("id", limit: Self.idLimit), label: try fields.text("label", limit: Self.labelLimit),
                  role: try fields.choice("role"), x: try fields.number("x", in: 0...1), y: try fields.number("y", in: 0...1),
                  width: try fields.number("width", in: 0...1), height: try fields.number("height", in: 0...1))
    }
}

/// All regions of a page in reading order: at most `Region.most`, each with an id of its own.
public struct Regions: Equatable, Sendable {
    public let all: [Region]

    public init(_ all: [Region] = []) { self.all = all }
}

extension Regions: Codable {
    public init(from decoder: any Decoder) throws {
        let all = try decoder.singleValueContainer().decode([Region].self)
        let path = Fields.path(decoder.codingPath)
        guard all.count <= Region.most else {
            throw Fault(field: path, expected: "at most \(Region.most) regions", found: "\(all.count)")
        }
        var ids: Set<String> = []
        if let twin = all.first(where: { !ids.insert($0.id).inserted }) {
            throw Fault(field: path, expected: "each id once", found: "\"\(twin.id)\" twice")
        }
        self.init(all)
    }

    public func encode(to encoder: any Encoder) throws { try all.encode(to: encoder) }
}
