import ArgumentParser
import Evdev
import Experience
import Fields
import Haptics
import PatternFile
import Signals
import SoundFile
import SystemPackage
import Units

struct Haptic: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "haptic",
        abstract: "Play a haptic pattern, draw it, or write what it has a transducer do.",
        discussion: """
            Plays on every force-feedback device there is, or the one that --device names, beside whatever thrumd plays; with \
            --picture or --wav only on one that is named.

            EXAMPLES
              thrum haptic swipe                            says what the built-in pattern consists of, and plays it
              thrum haptic storm.ahap --device "*DualSense*"
              thrum haptic heartbeat.ahap --picture beat.svg
              thrum haptic --theme glass unlock --picture unlock.png
              thrum haptic unlock --wav unlock.wav          for an exciter or bass shaker
            """)

    @Argument(help: ArgumentHelp("A pattern of the theme (of the standard one: \(names)), or an AHAP file.", valueName: "name|file.ahap"),
              completion: .file(extensions: ["ahap"]))
    var pattern: FileArgument

    @Option(help: ArgumentHelp("The theme that has the pattern. (default: standard)", valueName: "name|file.yaml"),
            completion: Completions.themes)
    var theme: FileArgument?

    @OptionGroup var library: ThemeCommand.Library

    @Option(help: ArgumentHelp("Play on this force-feedback device: its node, its link in by-path, or its name; * for anything.",
                               valueName: "node|path|name"))
    var device: String?

    @Option(help: "Draw intensity and sharpness over time into this file, .svg or .png.",
            completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var picture: FileArgument?

    @Option(help: "Write what a transducer does into this WAV file, 48 kHz, float; after what is heard, if anything is.",
            completion: .file(extensions: ["wav"]))
    var wav: FileArgument?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    private static let names = Theme.standard.haptics.keys.sorted().joined(separator: ", ")

    func validate() throws {
        _ = try PictureFormat(of: picture, option: "--picture")
        guard picture == nil || picture != wav else { throw ValidationError("--picture and --wav: expected two files, found one") }
    }

    func run() throws {
        let (pattern, source) = try read()
        if let picture { try draw(pattern, picture, from: source) }
        if let wav { try write(pattern, wav.path, from: source) }
        if picture == nil, wav == nil { print(lines(pattern).joined(separator: "\n")) }
        if device != nil || (picture == nil && wav == nil) { try play(pattern) }
    }

    /// Returns the pattern, and the file from which it was read; the file is nil for a built-in pattern.
    private func read() throws -> (pattern: HapticPattern, source: FilePath?) {
        if let theme {
            let (found, file) = try library.find(theme)
            guard let pattern = found.haptics[pattern.word] else {
                let known = found.haptics.keys.sorted()
                let hint = Spelling.hint(for: self.pattern.word, among: known)
                throw failure("\(self.pattern): expected one of the patterns of \(found.name): \(known.joined(separator: ", "))\(hint)",
                              .validationFailure)
            }
            return (pattern, file)
        }
        if let builtIn = Theme.standard.haptics[pattern.word] { return (builtIn, nil) }
        return (try readFile(), pattern.path)
    }

    private func readFile() throws -> HapticPattern {
        do {
            let ahap = try PatternFile.read(pattern.path)
            if !ahap.ignored.isEmpty { warn("\(pattern): warning: passed over: \(Self.listed(ahap.ignored))") }
            return ahap.pattern
        } catch let fault as Fault {
            throw failure("\(pattern): \(fault)", Exit.data)
        } catch Errno.noSuchFileOrDirectory where !pattern.word.contains(".") && !pattern.word.contains("/") {
            throw failure("\(pattern): expected one of \(Self.names), or an AHAP file", Exit.noInput)
        } catch let errno as Errno {
            throw failure("\(pattern): \(errno)", Exit.noInput)
        }
    }

    private static func listed(_ paths: [String]) -> String {
        paths.prefix(10).joined(separator: ", ") + (paths.count > 10 ? " and \(paths.count - 10) more" : "")
    }

    private func draw(_ pattern: HapticPattern, _ picture: FileArgument, from source: FilePath?) throws {
        let (path, format) = (picture.path, try PictureFormat(of: picture, option: "--picture"))
        let drawing = HapticDrawing(pattern: pattern, title: self.pattern.path.lastComponent?.string ?? "")
        do {
            try create(path, from: source, replaces: force, advice: "") { try format.write(drawing.svg, to: $0) }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
        print(path.string)
    }

    private static func line(_ sound: PatternSound) -> String {
        let what = switch sound.source {
        case .tone(let duration): "tone  for \(duration.rawValue.fixed(3)) s  pitch \(sound.pitch.fixed(2))"
        case .file(let path): "plays \(path)"
        }
        return "  \(sound.time.rawValue.fixed(3)) s  \(what)  volume \(sound.volume.fixed(2))"
    }

    private func lines(_ pattern: HapticPattern) -> [String] {
        guard !pattern.events.isEmpty || !pattern.sounds.isEmpty else { return [self.pattern.description, "  nothing to be felt or heard"] }
        let shapes = zip(pattern.events, HapticShape.shapes(of: pattern))
        return [self.pattern.description] + shapes.map { event, shape in
            let name = if case .transient = event.kind { "tap " } else { "buzz" }
            return "  \(event.time.rawValue.fixed(3)) s  \(name)  for \(shape.length.rawValue.fixed(3)) s  "
                + "intensity \(event.intensity.fixed(2))  sharpness \(event.sharpness.fixed(2))"
        } + pattern.sounds.map(Self.line)
            + (pattern.controls.isEmpty ? [] : ["  changed by \(pattern.controls.count) of its own controls: --picture shows how"])
    }
}

/// Plays a pattern on force-feedback devices.
extension Haptic {
    func play(_ pattern: HapticPattern) throws {
        guard !pattern.events.isEmpty else { return print("  nothing in it is felt: nothing is played") }
        if !pattern.sounds.isEmpty { print("  its sounds are not played here: --wav writes them, and thrumd plays them") }
        let found = DeviceSurvey.findings(DeviceRules())
        let motors = found.filter { if case .used = $0.motor { true } else { false } }.map(\.identity)
        guard let device else {
            if motors.isEmpty { print("  no force-feedback device here: nothing is played") }
            return try motors.forEach { try play(pattern, on: $0) }
        }
        let chosen = motors.filter { DeviceMatch(path: device).fits($0) || DeviceMatch(name: device).fits($0) }
        guard !chosen.isEmpty else {
            let names = motors.map { "\($0.name.debugDescription) (\($0.node))" }.joined(separator: ", ")
            let expected = names.isEmpty ? "a device, but there is none that could be used" : "one of \(names)"
            throw failure("--device: expected \(expected), found \(device.debugDescription)", Exit.unavailable)
        }
        for motor in chosen { try play(pattern, on: motor) }
    }

    private func play(_ pattern: HapticPattern, on motor: DeviceIdentity) throws {
        print("  played on \(motor.name) (\(motor.node))")
        do {
            try MotorTrial.play(pattern, on: motor.node)
        } catch {
            throw failure("\(motor.name) (\(motor.node)): \(error)", Exit.unavailable)
        }
    }
}

/// Writes a pattern's transducer signal and its sound.
extension Haptic {
    func write(_ pattern: HapticPattern, _ path: FilePath, from source: FilePath?) throws {
        do {
            try create(path, from: source, replaces: force, advice: "") { file in
                let touch = TransducerWaveform(pattern, rate: .standard).samples
                let sound = SoundWaveform(pattern, rate: .standard) { self.samples(of: $0) }.samples
                let hasSound = !pattern.sounds.isEmpty
                let frames = max(touch.count, sound.count)
                let layout = SoundFileLayout(format: .float32, rate: .standard, channels: hasSound ? .interleaved : .mono,
                                             frames: Int64(frames))
                var writer = try SoundFileWriter(file, layout)
                func sample(_ waveform: [Float], _ frame: Int) -> Float { frame < waveform.count ? waveform[frame] : 0 }
                let samples = hasSound ? (0..<frames).flatMap { [sample(sound, $0), sample(touch, $0)] } : touch
                try writer.write(samples.span)
                try writer.finish()
            }
        } catch let error as SoundFileError {
            throw failure("\(path): \(error)", Exit.inputOutput)
        }
        print(path.string)
    }

    private func samples(of file: String) -> [Float]? {
        do {
            return try SoundFileReader.samples(of: file, at: .standard)
        } catch {
            warn("\(file): warning: not heard: \(error)")
            return nil
        }
    }
}

/// A haptic pattern as an SVG, with time to the right: above, the intensity of each event; below, its sharpness.
struct HapticDrawing {
    private static let width = 900
    private static let left = 70
    private static let panelHeight = 160
    private static let tops = (intensity: 50, sharpness: 240)
    private static let height = 440

    let pattern: HapticPattern
    let title: String

    var svg: String {
        let shapes = HapticShape.shapes(of: pattern)
        let duration = max(0.1, shapes.map { $0.start.rawValue + $0.length.rawValue }.max() ?? 0)
        return svgDocument(width: Self.width + 100, height: Self.height, [
            svgText(Self.left, 28, title, size: 16),
        ] + panel("intensity", Self.tops.intensity) + panel("sharpness", Self.tops.sharpness) + timeAxis(duration)
            + shapes.flatMap { draw($0, duration) })
    }

    /// Returns the drawing of one event: its intensity as an area, and its sharpness as a line.
    private func draw(_ shape: HapticShape, _ duration: Double) -> [String] {
        var shape = shape
        let most = max(2, 20_000 / pattern.events.count)
        let steps = min(most, max(2, Int(shape.length.rawValue / duration * Double(Self.width) / 2)))
        var area: [String] = []
        var line: [String] = []
        for step in 0...steps {
            let age = Seconds(shape.length.rawValue * Double(step) / Double(steps))
            let x = timeX(shape.start.rawValue + age.rawValue, duration).fixed(1)
            area.append("\(x),\(y(shape.intensity(at: age), Self.tops.intensity).fixed(1))")
            line.append("\(x),\(y(shape.sharpness(at: age), Self.tops.sharpness).fixed(1))")
        }
        let bottom = Self.tops.intensity + Self.panelHeight
        let start = timeX(shape.start.rawValue, duration).fixed(1)
        let end = timeX(shape.start.rawValue + shape.length.rawValue, duration).fixed(1)
        return [
            "<polygon fill=\"#b3243b\" fill-opacity=\"0.6\" "
                + "points=\"\(start),\(bottom) \(area.joined(separator: " ")) \(end),\(bottom)\"/>",
            "<polyline fill=\"none\" stroke=\"#4a7ebb\" stroke-width=\"4\" points=\"\(line.joined(separator: " "))\"/>",
        ]
    }

    private func panel(_ name: String, _ top: Int) -> [String] {
        [0.0, 0.5, 1].flatMap { value in
            let height = Int(y(value, top))
            return [
                svgGridLine(Self.left, height, width: Self.width),
                svgText(Self.left - 8, height + 4, value.fixed(1), anchor: "end"),
            ]
        } + [svgText(Self.left, top - 6, name)]
    }

    private func timeAxis(_ duration: Double) -> [String] {
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].first { duration / $0 <= 12 } ?? 30
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(Int(timeX(second, duration)), Self.tops.sharpness + Self.panelHeight + 20,
                 second.fixed(step < 0.1 ? 2 : 1) + " s", anchor: "middle")
        }
    }

    private func timeX(_ second: Double, _ duration: Double) -> Double {
        Double(Self.left) + second / duration * Double(Self.width)
    }

    private func y(_ value: Double, _ top: Int) -> Double { Double(top) + (1 - value) * Double(Self.panelHeight) }
}
