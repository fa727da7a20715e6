import ArgumentParser
import Experience
import Fields
import Journal
import JournalFile
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import Units
import YAML

extension ThemeCommand {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say whether files of themes are good, and what in them is odd.",
            discussion: """
                Exit status 0 if all are good, odd or not; 78 if one is wrong; 66 if one cannot be read.

                EXAMPLES
                  thrum theme check mine
                  thrum theme check glass.yaml
                  thrum theme check ~/.config/thrum/themes/*.yaml
                """)

        @Argument(help: ArgumentHelp("Files, or names of themes.", valueName: "name|file.yaml"), completion: Completions.themes)
        var sources: [FileArgument]

        @OptionGroup var library: Library

        func run() throws {
            let known = sources.contains { !$0.word.contains("/") } ? library.read() : nil
            var status: ExitCode?
            for word in sources {
                guard let file = known?.file(of: word) ?? (known?[word.word] == nil ? word : nil) else {
                    print("\(word): good: built in")
                    continue
                }
                do {
                    let theme = try CheckedTheme(file)
                    theme.warn()
                    print("\(file): good: \(theme.file.theme.name)")
                } catch let problem as FileFault {
                    status = failure("\(problem)", Exit.settings)
                } catch Errno.noSuchFileOrDirectory where known != nil && word.isName {
                    let unknown = failure(known?.complaint(about: word) ?? "", Exit.noInput)
                    status = status ?? unknown
                } catch let errno as Errno {
                    let unreadable = failure("\(file): \(errno)", Exit.noInput)
                    status = status ?? unreadable
                }
            }
            if let status { throw status }
        }
    }
}

extension ThemeLibrary {
    /// Returns the file of the theme called `word`; nil where that theme is built in or unknown, or where `word` is a path (contains a
    /// slash). A faulty file of that name is preferred, because the library may have a good theme of the same name from another folder.
    fileprivate func file(of word: FileArgument) -> FileArgument? {
        guard !word.word.contains("/") else { return nil }
        let bad = problems.first { FilePath($0.file).stem == word.word }?.file
        return (bad ?? self[word.word]?.file?.string).map { FileArgument(argument: $0) }
    }
}

/// A theme that was read from a file without faults.
struct CheckedTheme {
    let file: ThemeFile
    /// Warnings about oddities of the theme, each a line with its place in the file.
    private let warnings: [String]

    /// Reads a theme's file. Throws `FileFault` for faults in the theme, and `Errno` where the file cannot be read.
    init(_ argument: FileArgument) throws {
        var warnings: [String] = []
        file = try ThemeFile(argument.path) { path in
            let ahap = try PatternFile.read(path)
            let strange = ahap.ignored.count
            if strange > 0 { warnings.append("\(path): warning: keys passed over: \(strange); thrum haptic names them") }
            return ahap.pattern
        }
        // Oddities are sorted by line; those of one line keep their order.
        let oddities = file.theme.oddities.map { [file] in (line: file.line(of: $0.field), oddity: $0) }.enumerated().sorted { a, b in
            (a.element.line ?? .max, a.offset) < (b.element.line ?? .max, b.offset)
        }
        for (line, oddity) in oddities.map(\.element) {
            warnings.append("\(argument)" + (line.map { ":\($0)" } ?? "") + ": warning: \(oddity.field): \(oddity.words)")
        }
        for piece in Pieces.current.all.declarations {
            guard let lacking = piece.lacking(in: file.theme) else { continue }
            warnings.append("\(argument): warning: \(piece.name) does not start with this theme, because it asks for \(lacking)")
        }
        self.warnings = warnings
        try checkRoom()
    }

    func warn() { warnings.forEach { Tool.warn($0) } }

    /// Throws where the theme's text is too long for a journal. Every journal begins with its theme.
    private func checkRoom() throws {
        let header = JournalHeader(sampleRate: .standard, seed: 0, experience: "direct", started: "now", theme: file.theme)
        let line = JournalLine.encode(.header(header)).dropLast()
        guard line.count < JournalScan.longestLine else {
            let fault = Fault(field: "", expected: "a theme that a journal has room for, 1 MiB", found: "\(line.count) bytes")
            throw FileFault(file: file.path.string, fault: fault)
        }
    }
}

extension ChimeNote {
    /// An upper bound of the note's peak, as a magnitude: the peak if all its partials peak at once.
    var loudest: Double { partials.reduce(0) { $0 + Double(Decibels(level.rawValue + $1.level.rawValue).magnitude.rawValue) } }
}

extension Chime {
    /// An upper bound of the chime's peak level: the level if all notes that sound together peak at once.
    var loudest: Decibels {
        let sums = notes.map { new in
            notes.filter { $0.start <= new.start }.reduce(0.0) { sum, note in
                // A note falls by 60 dB during its decay.
                let passed = (new.start.rawValue - note.start.rawValue) / note.decay.rawValue
                return sum + note.loudest * Double(Decibels(-60 * passed).magnitude.rawValue)
            }
        }
        return Magnitude(Float(sums.max() ?? 0)).decibels ?? .silence
    }
}

extension Texture {
    /// The ratio of peak to RMS that is assumed for Gaussian noise: fewer than one sample in ten thousand is larger.
    private static let crest = 4.0

    /// The approximate level of the texture's largest samples, where pulse, breath and voice are all at their peaks.
    var loudest: Decibels {
        let rms = Double(level.magnitude.rawValue)
        let sine = voice.map { rms * Double($0.level.magnitude.rawValue) * 2.0.squareRoot() } ?? 0
        return Magnitude(Float(rms * Self.crest + sine)).decibels ?? .silence
    }
}

extension Theme {
    /// An upper bound of the tone's peak level over its whole curve: the level if all its partials peak at once.
    var loudestTone: Decibels {
        let sum = tonePartials.reduce(0) { $0 + $1.level.magnitude.rawValue }
        return Decibels(toneCurve.loudest.rawValue + (Magnitude(sum).decibels?.rawValue ?? 0))
    }

    /// The frequency in Hz above which partials of the tone are silent, at the usual 48 kHz.
    private static let highestPartial = 0.45 * 48_000

    /// Remarks on settings of the theme that are allowed but probably a mistake, each with the setting's field.
    var oddities: [(field: String, words: String)] {
        var oddities: [(field: String, words: String)] = []
        let top = "the ceiling of \(Fault.plain(ceiling.rawValue)) dBFS"
        let peak = toneCurve.points.firstIndex { $0.level == toneCurve.loudest } ?? 0
        let level = toneCurve.isStraight ? "toneCurve.loudest" : "toneCurve.points[\(peak)].level"
        if loudestTone > ceiling {
            let reached = Fault.plain((loudestTone.rawValue * 100).rounded() / 100)
            oddities.append((toneCurve.loudest > ceiling ? level : "tonePartials",
                             "the tone reaches \(reached) dBFS, over \(top): it will be limited, and get no louder before it ends"))
        }
        for (index, partial) in tonePartials.enumerated() {
            let lowest = toneCurve.lowest.rawValue * Double(partial.ratio)
            guard lowest >= Self.highestPartial else { continue }
            oddities.append(("tonePartials[\(index)]", "it never sounds: at \(lowest.fixed(0)) Hz and more, where partials of the "
                + "tone have faded out (from \(Fault.plain(Self.highestPartial)) Hz on, at 48 kHz)"))
        }
        oddities += oddChimes(ceiling: top, loudestTone: level)
        for (name, texture) in textures.sorted(by: { $0.key < $1.key })
        where texture != Theme.standard.textures[name] && texture.loudest > ceiling {
            oddities.append(("textures.\(name)", "its noise reaches about \(texture.loudest.rawValue.fixed(1)) dBFS, "
                + "over \(top): it will be limited"))
        }
        for (name, pattern) in haptics.sorted(by: { $0.key < $1.key }) where pattern.events.isEmpty && pattern.sounds.isEmpty {
            oddities.append(("haptics.\(name)", "nothing in it is felt or heard; none takes a pattern away"))
        }
        let standard = Theme.standard
        for (list, own, known) in [
            ("chimes", Array(chimes.keys), Set(standard.chimes.keys)), ("textures", Array(textures.keys), Set(standard.textures.keys)),
            ("haptics", Array(haptics.keys), Set(standard.haptics.keys)),
        ] {
            for name in own.sorted() where !known.contains(name) {
                guard let near = Spelling.nearest(to: name, among: known) else { continue }
                oddities.append(("\(list).\(name)", "a name of its own, which no piece plays (did you mean \(near)?)"))
            }
        }
        return oddities
    }
}

extension Theme {
    /// The pitch above which people hear nothing, in Hz.
    private static let inaudible = 20_000.0

    /// Returns remarks on unusual chimes, each with its field: one for each chime that differs from the standard theme's, and at most two
    /// for all others together. `top` is the ceiling in words; `field` is the field that sets the tone's loudest level.
    func oddChimes(ceiling top: String, loudestTone field: String) -> [(field: String, words: String)] {
        var oddities: [(field: String, words: String)] = []
        var (loud, loudTogether): ([(name: String, level: Decibels)], [(name: String, level: Decibels)]) = ([], [])
        for (name, chime) in chimes.sorted(by: { $0.key < $1.key }) {
            let (alone, both) = (chime.loudest, together(chime))
            let isLoud = alone > ceiling
            // A tone that exceeds the ceiling without a chime has a remark of its own.
            let isLoudTogether = !isLoud && loudestTone <= ceiling && both > ceiling
            guard chime != Theme.standard.chimes[name] else {
                if isLoud { loud.append((name, alone)) }
                if isLoudTogether { loudTogether.append((name, both)) }
                continue
            }
            var words: [String] = []
            if isLoud { words.append("it can reach \(Self.tenths(alone)) dBFS, over \(top): it will be limited") }
            if isLoudTogether {
                words.append("with the tone at its loudest it can reach \(Self.tenths(both)) dBFS, over \(top): both will be limited")
            }
            let high = chime.notes.indices.filter { chime.notes[$0].highest > Self.inaudible }
            if let first = high.first {
                let notes = high.count == 1
                    ? "note [\(first)] has" : "\(high.count) of \(chime.notes.count) notes, from [\(first)] on, have"
                let most = chime.notes.map(\.highest).max() ?? 0
                words.append("\(notes) partials that are higher than people hear, up to \(most.fixed(0)) Hz")
            }
            guard !words.isEmpty else { continue }
            let isOfNote = !isLoud && !isLoudTogether
            oddities.append(("chimes.\(name)" + (isOfNote ? "[\(high[0])]" : ""), words.joined(separator: "; ")))
        }
        if let most = loud.max(by: { $0.level < $1.level }) {
            oddities.append(("ceiling", "chimes as in the standard theme that can pass it: \(loud.count); \(most.name) can reach "
                + "\(Self.tenths(most.level)) dBFS, over \(top): they will be limited"))
        }
        if let most = loudTogether.max(by: { $0.level < $1.level }) {
            oddities.append((field, "chimes as in the standard theme that can pass the ceiling with the tone at its loudest: "
                + "\(loudTogether.count); \(most.name) can reach \(Self.tenths(most.level)) dBFS, over \(top): both will be limited"))
        }
        return oddities
    }

    /// Returns an upper bound of the peak level of a chime and the tone together: the level if all their partials peak at once.
    private func together(_ chime: Chime) -> Decibels {
        Magnitude(chime.loudest.magnitude.rawValue + loudestTone.magnitude.rawValue).decibels ?? .silence
    }

    private static func tenths(_ level: Decibels) -> String { level.rawValue.fixed(1) }
}

extension ChimeNote {
    /// The pitch of the note's highest partial, in Hz.
    fileprivate var highest: Double { frequency.rawValue * (partials.map(\.ratio).max() ?? 0) }
}
