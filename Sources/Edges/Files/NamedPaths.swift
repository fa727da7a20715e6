import Glibc
import SystemPackage

// Paths that people and environment variables name.
extension FilePath {
    /// Returns the absolute path of a file that is named in a file of this folder. The folder's symbolic links are resolved.
    public func absolutePath(of name: String) -> FilePath {
        let folder: FilePath = isEmpty ? "." : self
        let resolved = folder.withPlatformString { realpath($0, nil) }
        defer { free(resolved) }
        return (resolved.map { FilePath(platformString: $0) } ?? folder).pushing(FilePath(name)).lexicallyNormalized()
    }

    /// Returns the user's folder for Thrum, which need not exist: `$XDG_CONFIG_HOME/thrum`, or `$HOME/.config/thrum`. Nil where these
    /// variables of `environment` are missing.
    public static func userFolder(_ environment: [String: String]) -> FilePath? {
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return home.map { FilePath($0).appending("thrum") }
    }
}
