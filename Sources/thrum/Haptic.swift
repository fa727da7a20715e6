import ArgumentParser
import Glibc
import Haptics
import Signals
import SoundFile
import Synth
import SystemPackage
import Units

struct Haptic: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look into a haptic pattern: draw it, or write what it has a transducer do.",
        discussion: """
            EXAMPLES
              thrum haptic swipe                            what the built-in pattern consists of
              thrum haptic heartbeat.ahap --picture beat.svg
              thrum haptic unlock --wav unlock.wav          for an exciter or bass shaker
            """)

    @Argument(help: ArgumentHelp("A built-in pattern (\(names)) or an AHAP file.", valueName: "name|file.ahap"),
              completion: .file(extensions: ["ahap"]))
    var pattern: String

    @Option(help: "Draw intensity and sharpness over time into this SVG file.", completion: .file(extensions: ["svg"]))
    var picture: String?

    @Option(help: "Write the transducer's waveform into this WAV file, 48 kHz, float.", completion: .file(extensions: ["wav"]))
    var wav: String?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    private static let names = Theme.standard.haptics.keys.sorted().joined(separator: ", ")

    func validate() throws {
        guard picture == nil || picture != wav else { throw ValidationError("--picture and --wav: expected two files, found one") }
    }

    func run() throws {
        let pattern = try read()
        if let picture { try draw(pattern, FilePath(picture)) }
        if let wav { try write(pattern, FilePath(wav)) }
        if picture == nil, wav == nil { print(lines(pattern).joined(separator: "\n")) }
    }

    private func read() throws -> HapticPattern {
        if let builtIn = Theme.standard.haptics[pattern] { return builtIn }
        do {
            let file = try FileDescriptor.open(pattern, .readOnly)
            let ahap = try AHAP(try file.closeAfter { try Self.bytes(file) })
            if !ahap.ignored.isEmpty { warn("\(pattern): warning: passed over: \(Self.listed(ahap.ignored))") }
            return ahap.pattern
        } catch let fault as Fault {
            throw failure("\(pattern): \(fault)", Exit.data)
        } catch Errno.noSuchFileOrDirectory where !pattern.contains(".") && !pattern.contains("/") {
            throw failure("\(pattern): expected one of \(Self.names), or an AHAP file", Exit.noInput)
        } catch let errno as Errno {
            throw failure("\(pattern): \(errno)", Exit.noInput)
        }
    }

    /// The first ten, without what could lead a terminal astray.
    private static func listed(_ paths: [String]) -> String {
        let words = paths.prefix(10).map { path in
            String(String.UnicodeScalarView(path.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
        }
        return words.joined(separator: ", ") + (paths.count > 10 ? " and \(paths.count - 10) more" : "")
    }

    /// Up to 1 MiB; more is a fault.
    private static func bytes(_ file: FileDescriptor) throws -> [UInt8] {
        let most = 1 << 20
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= most else { throw Fault(field: "", expected: "at most 1 MiB") }
        }
    }

    private func draw(_ pattern: HapticPattern, _ path: FilePath) throws {
        let drawing = HapticDrawing(pattern: pattern, title: escaped(FilePath(self.pattern).lastComponent?.string ?? ""))
        do {
            try create(path, from: source, replaces: force, advice: "") { _ = try $0.writeAll(drawing.svg.utf8) }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
        print(path.string)
    }

    /// Nil for a built-in pattern.
    private var source: FilePath? { Theme.standard.haptics[pattern] == nil ? FilePath(pattern) : nil }

    private func write(_ pattern: HapticPattern, _ path: FilePath) throws {
        do {
            try create(path, from: source, replaces: force, advice: "") { file in
                let waveform = TransducerWaveform(pattern, rate: .standard)
                let layout = SoundFileLayout(format: .float32, rate: .standard, frames: Int64(waveform.samples.count))
                var writer = try SoundFileWriter(file, layout)
                try writer.write(waveform.samples.span)
                try writer.finish()
            }
        } catch let error as SoundFileError {
            throw failure("\(path): \(error)", Exit.inputOutput)
        }
        print(path.string)
    }

    private func lines(_ pattern: HapticPattern) -> [String] {
        guard !pattern.events.isEmpty else { return [self.pattern, "  nothing to be felt"] }
        let shapes = zip(pattern.events, HapticShape.shapes(of: pattern))
        return [self.pattern] + shapes.map { event, shape in
            let name = if case .transient = event.kind { "tap " } else { "buzz" }
            return "  \(Report.fixed(event.time.rawValue, 3)) s  \(name)  for \(Report.fixed(shape.length.rawValue, 3)) s  "
                + "intensity \(Report.fixed(event.intensity, 2))  sharpness \(Report.fixed(event.sharpness, 2))"
        } + (pattern.controls.isEmpty ? [] : ["  changed by \(pattern.controls.count) of its own controls: --picture shows how"])
    }
}
