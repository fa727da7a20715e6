/// What of a household is told in confidence: to operators, and to the clients that came in its name. Everybody else is told the rest.
public enum Confidence: String, CaseIterable, Encodable, Sendable {
    /// Its name. Where the household has no secret, whoever knows it may enter by it.
    case name
    /// What it has, earns and spends. Whoever only plays from outside is not told it at all.
    case money
}
