import SystemPackage

/// A file of the state directory that cannot be used.
public struct Damage: Equatable, Sendable {
    /// What was in it.
    public enum Holding: Sendable {
        case database
        /// `hearing.json` and `preset.json` of earlier versions.
        case hearingDay, preset
    }

    public var holding: Holding
    public var path: FilePath
    /// When it was changed last, seconds since 1970-01-01 in UTC; nil where that is not known.
    public var written: Int?
    /// What it is called now; nil where it could not be renamed, or was left alone because it may be good.
    public var aside: FilePath?
    public var reason: String

    init(of holding: Holding, _ path: FilePath, written: Int?, aside: FilePath?, reason: String) {
        self.holding = holding
        self.path = path
        self.written = written
        self.aside = aside
        self.reason = reason
    }
}
