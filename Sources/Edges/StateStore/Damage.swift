import SystemPackage

/// A database that could not be used.
public struct Damage: Equatable, Sendable {
    public var path: FilePath
    /// When it was changed last, seconds since 1970-01-01 in UTC; nil where that is not known.
    public var written: Int?
    /// What it is called now; nil where it could not be renamed, or was left alone because it may be good.
    public var aside: FilePath?
    public var reason: String

    init(_ path: FilePath, written: Int?, aside: FilePath?, reason: String) {
        self.path = path
        self.written = written
        self.aside = aside
        self.reason = reason
    }
}
