/// Two settings of one name that are not the same.
public struct SettingClash: Error, Equatable, CustomStringConvertible {
    public var name: String
    /// Who has it, in words.
    public var owners: [String]

    public var description: String { "\(name): two settings of one name that differ: \(owners.joined(separator: ", "))" }
}
