import ArgumentParser
import FoundationEssentials
import Glibc
import Processes
import SystemPackage

/// A picture on the disk, or on standard output: an SVG, or a PNG made of it.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case svg, png

    /// What the name asks for; SVG where it says nothing. Throws a `ValidationError`.
    init(of file: FileArgument?, option: String) throws {
        guard let file, !file.isStandardStream, let word = file.path.extension else {
            self = .svg
            return
        }
        guard let format = PictureFormat(rawValue: word.lowercased()) else {
            throw ValidationError("\(option): expected a name that ends in .svg or .png, found \(file)")
        }
        self = format
    }

    /// What a picture of this format is drawn in. A PNG cannot follow whoever looks at it.
    func style(_ style: PictureStyle?) -> PictureStyle? { self == .png ? style ?? .light : style }

    /// Writes the picture to a file that is open. Throws an exit status, and `Errno`.
    func write(_ svg: String, to file: FileDescriptor) throws {
        switch self {
        case .svg: try file.writeAll(svg.utf8)
        case .png: try Self.convert(svg, to: file)
        }
    }

    /// By librsvg, which knows all of an SVG that our pictures have. Twice as large as the SVG, so that small words can be read.
    private static func convert(_ svg: String, to file: FileDescriptor) throws {
        let scrap = try Scrap()
        try scrap.file.writeAll(svg.utf8)
        try scrap.file.seek(offset: 0, from: .start)
        let converted: FinishedProcess
        do {
            converted = try FinishedProcess(running: "rsvg-convert", ["--zoom", "2"], environment: ProcessInfo.processInfo.environment,
                                            input: scrap.file, output: file, patience: 120)
        } catch Errno.noSuchFileOrDirectory {
            throw failure("a PNG needs the program rsvg-convert, of the Debian package librsvg2-bin; an SVG needs none", Exit.unavailable)
        }
        guard converted.status == 0 else {
            let reason = converted.complaint.isEmpty ? "status \(converted.status)" : converted.complaint
            throw failure("rsvg-convert: \(reason)", Exit.inputOutput)
        }
    }
}

/// A file without a name.
private struct Scrap: ~Copyable {
    let file: FileDescriptor

    /// Throws `Errno`.
    init() throws {
        file = try FileDescriptor.open("/var/tmp", .readWrite, options: .init(rawValue: O_DIRECTORY | 0o20_000_000),  // O_TMPFILE
                                       permissions: .ownerReadWrite)
    }

    deinit { try? file.close() }
}
