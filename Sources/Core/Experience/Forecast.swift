import Fields

/// What a piece's documents would lead to, in numbers over simulated households.
public struct Forecast: Sendable {
    /// A number of all simulated households together, for instance a median.
    public struct Measure: Equatable, Sendable {
        /// In a few words, for instance `deaths`.
        public var name: String
        /// Nil where there is none, such as the median of nothing.
        public var value: Double?
        public var unit: String?

        public init(_ name: String, _ value: Double?, unit: String? = nil) {
            self.name = name
            self.value = value
            self.unit = unit
        }
    }

    /// What is simulated, for people: `1,000 households over 60 days`.
    public let about: String
    /// Told what part of a simulation is done, 0…1.
    public typealias Progress = (Double) -> Void

    private let simulate: @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]

    /// `simulate` is given a document of every kind that the piece declares, and tells the same measures for all. Deterministic. It tells
    /// `progress` some hundred times at most.
    public init(about: String,
                simulate: @escaping @Sendable (_ documents: [String: any PieceDocument], _ progress: Progress) -> [Measure]) {
        self.about = about
        self.simulate = simulate
    }

    /// What `bodies` would lead to, by kind; kinds that are not there are as `declaration` has them. Throws what is wrong with one of them.
    /// Takes as long as it takes: seconds are usual.
    public func measures(_ bodies: [String: JSONValue], _ declaration: Declaration,
                         progress: Progress = { _ in }) throws(Fault) -> [Measure] {
        var documents: [String: any PieceDocument] = [:]
        for configuration in declaration.configurations {
            documents[configuration.kind] = try configuration.read(bodies[configuration.kind] ?? configuration.standard)
        }
        return simulate(documents, progress)
    }
}
