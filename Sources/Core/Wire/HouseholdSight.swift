import Experience
import Fields
import Signals

/// How much a client is told of the household that is there. Pieces declare what is told in confidence; this is the one place that leaves
/// it out.
public struct HouseholdSight: Hashable, Sendable {
    private let seesName: Bool
    private let seesMoney: Bool

    /// Of a client that has this role. `isGuest` where it came in the household's name; `isHome` where that is the house's own household,
    /// which is everybody's.
    public init(_ role: Role, isGuest: Bool, isHome: Bool) {
        seesName = role == .operator || isGuest || isHome
        seesMoney = seesName && role != .player
    }

    /// Of whoever is told everything.
    public static let all = HouseholdSight(.operator, isGuest: false, isHome: false)
    /// Of whoever is told nothing in confidence.
    public static let none = HouseholdSight(.visitor, isGuest: false, isHome: false)

    public func has(_ confidence: Confidence) -> Bool {
        switch confidence {
        case .name: seesName
        case .money: seesMoney
        }
    }

    /// `whole` without what of it is told in confidence and not to this client. `inConfidence` has paths of fields; a path goes through
    /// lists. The same value where all of it may be told.
    public func part(of whole: any Encodable & Sendable, _ inConfidence: [String: Confidence]) -> any Encodable & Sendable {
        let hidden = inConfidence.filter { !has($0.value) }.keys
        guard !hidden.isEmpty else { return whole }
        return part(of: Reply.line(whole), hidden: hidden)
    }

    /// The same of JSON that one of us has written.
    func part(ofJSON json: [UInt8], _ inConfidence: [String: Confidence]) -> JSONValue {
        part(of: json, hidden: inConfidence.filter { !has($0.value) }.keys)
    }

    private func part(of json: [UInt8], hidden: some Sequence<String>) -> JSONValue {
        do {
            let whole = try JSONValue(parsing: json)
            return hidden.reduce(whole) { $0.without($1.split(separator: ".")[...]) }
        } catch {
            preconditionFailure("our own messages are JSON: \(error)")
        }
    }
}

extension JSONValue {
    fileprivate func without(_ path: ArraySlice<Substring>) -> JSONValue {
        switch self {
        case .list(let elements): return .list(elements.map { $0.without(path) })
        case .object(var members):
            guard let step = path.first.map(String.init), let member = members[step] else { return self }
            members[step] = path.count == 1 ? nil : member.without(path.dropFirst())
            return .object(members)
        case .null, .flag, .integer, .number, .text: return self
        }
    }
}
