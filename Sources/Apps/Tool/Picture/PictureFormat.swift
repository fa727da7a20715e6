import ArgumentParser
import Experience
import FoundationEssentials
import Glibc
import Processes
import SystemPackage

/// The format of a picture: an SVG, or a PNG that is made from the SVG.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case svg, png

    /// Reads the format from the extension of a file's name; without an extension the format is SVG. Throws a `ValidationError`.
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

    /// Returns the style in which a picture of this format is drawn, if `style` was asked for. Where `style` is nil, an SVG follows the
    /// viewer's preference; a PNG cannot, and is light.
    func style(_ style: PictureStyle?) -> PictureStyle? { self == .png ? style ?? .light : style }

    /// Writes the picture to an open file. Throws an exit status, and `Errno`.
    func write(_ svg: String, to file: FileDescriptor) throws {
        switch self {
        case .svg: try file.writeAll(svg.utf8)
        case .png: try Self.convert(svg, to: file)
        }
    }

    /// Converts an SVG to PNG by librsvg, which supports everything that our SVGs use. The PNG has twice the size, so that small text can
    /// be read.
    private static func convert(_ svg: String, to file: FileDescriptor) throws {
        let scrap = try Scrap()
        try scrap.file.writeAll(svg.utf8)
        try scrap.file.seek(offset: 0, from: .start)
        let converted: FinishedProcess
        do {
            converted = try FinishedProcess(running: "rsvg-convert", ["--zoom", "2"], environment: ProcessInfo.processInfo.environment,
                                            input: scrap.file, output: file, timeout: 120)
        } catch Errno.noSuchFileOrDirectory {
            throw failure("a PNG needs the program rsvg-convert, of the Debian package librsvg2-bin; an SVG needs none", Exit.unavailable)
        }
        guard converted.status == 0 else {
            let reason = converted.complaint.isEmpty ? "status \(converted.status)" : converted.complaint
            throw failure("rsvg-convert: \(reason)", Exit.inputOutput)
        }
    }
}

/// A temporary file without a name.
private struct Scrap: ~Copyable {
    let file: FileDescriptor

    /// Creates the file. Throws `Errno`.
    init() throws {
        file = try FileDescriptor.open("/var/tmp", .readWrite, options: .init(rawValue: O_DIRECTORY | 0o20_000_000),  // O_TMPFILE
                                       permissions: .ownerReadWrite)
    }

    deinit { try? file.close() }
}

/// The colour scheme of a session's picture.
enum PictureStyle: String, CaseIterable, ExpressibleByArgument {
    case light, dark

    /// The colours of drawn elements, by the element's role, which is also its class in the SVG.
    private static let roles: [(name: String, light: String, dark: String)] = [
        ("page", "#ffffff", "#0f131a"), ("panel", "#f4f6f9", "#171c25"), ("grid", "#dde2e9", "#2b3340"),
        ("ink", "#1d2433", "#e8ecf3"), ("soft", "#5a6475", "#98a4b6"),
        ("tone", "#c2264b", "#ff7a96"), ("short", "#1763d1", "#5fb0ff"), ("momentary", "#8bb6ea", "#3f76ad"),
        ("peak", "#97a6bb", "#5b6c84"),
        ("mark", "#a65200", "#ffb65c"), ("highlight", "#7338b8", "#c9a2ff"), ("chime", "#8a6d00", "#e6c24f"),
        ("theme", "#0c7566", "#54d4bd"), ("mute", "#5f6878", "#8f99a8"), ("gap", "#c81e2c", "#ff7373"), ("lost", "#c81e2c", "#ff7373"),
        ("damaged", "#c81e2c", "#ff7373"),
    ]

    /// The colours from silence to loud, to which the filter maps the greys: `magma` of matplotlib (CC0), which is reversed for light
    /// pages.
    private static let levels: [(style: PictureStyle, colors: [UInt32])] = [
        (.light, [0xFFFFFF, 0xFEE6CE, 0xFEC287, 0xFB8761, 0xE55064, 0xB5367A, 0x812581, 0x4F127B, 0x1C1044]),
        (.dark, [0x0B0D14, 0x1C1044, 0x4F127B, 0x812581, 0xB5367A, 0xE55064, 0xFB8761, 0xFEC287, 0xFCFDBF]),
    ]

    private var rules: String {
        let colors = Self.roles.map { ".\($0.name){color:\(self == .light ? $0.light : $0.dark)}" }
        return (colors + [".levels{filter:url(#\(rawValue)-levels)}"]).joined()
    }

    /// Returns the SVG definitions of a style. If `style` is nil, the picture follows the viewer's preference.
    static func definitions(_ style: PictureStyle?) -> [String] {
        let rules = style?.rules ?? PictureStyle.light.rules + "@media (prefers-color-scheme:dark){" + PictureStyle.dark.rules + "}"
        let greys = "<stop offset=\"0\" stop-color=\"#000\"/><stop offset=\"1\" stop-color=\"#fff\"/>"
        let hatch = "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
            + "<path class=\"damaged\" d=\"M2 0V7\" stroke=\"currentColor\" stroke-width=\"1.5\"/></pattern>"
        return ["<style>\(rules)</style>", "<defs>", "<linearGradient id=\"levels\">\(greys)</linearGradient>", hatch]
            + levels.filter { style == nil || $0.style == style }.map { filter($0.style, $0.colors) } + ["</defs>"]
    }

    /// Returns the filter that maps greys to colours, by a table for each of red, green and blue.
    private static func filter(_ style: PictureStyle, _ colors: [UInt32]) -> String {
        let channels = [("R", 16), ("G", 8), ("B", 0)].map { name, shift in
            let table = colors.map { (Double($0 >> UInt32(shift) & 0xFF) / 255).fixed(3) }
            return "<feFunc\(name) type=\"table\" tableValues=\"\(table.joined(separator: " "))\"/>"
        }
        return "<filter id=\"\(style.rawValue)-levels\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" color-interpolation-filters=\"sRGB\">"
            + "<feComponentTransfer>\(channels.joined())</feComponentTransfer></filter>"
    }
}
