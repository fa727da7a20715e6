/// The sizes of the blocks in which PipeWire works, in frames.
struct PipeWireClock: Equatable {
    /// The block size that PipeWire uses while no client asks for another.
    var usual = 1_024
    /// The smallest block size that a client may ask for.
    var least = 32
    var most = 2_048
    /// The block size that is forced on all clients; 0 where none is forced.
    var forced = 0
    /// The sample rate, in frames per second.
    var rate = 48_000
    /// Whether the numbers come from the running PipeWire. If false, they come from its configuration files, and the running PipeWire may
    /// use others.
    var isRunning = false

    /// The block size, in frames, up to which PipeWire's blocks do not delay Thrum. It is the smallest that PipeWire's Pulse server takes
    /// from a stream.
    private static let ours = 256

    /// Reads what `pw-metadata -n settings` prints. Nil where that text names no block size.
    init?(metadata text: String) {
        let settings = text.matches(of: /key:'(clock\.[a-z-]+)' value:'([0-9]+)'/).map { (String($0.1), Int($0.2)) }
        guard settings.contains(where: { $0.0 == "clock.quantum" }) else { return nil }
        isRunning = true
        for case (let key, let value?) in settings { set(key, value) }
    }

    /// Reads the texts of PipeWire's configuration files. Of two files the later one wins.
    init(files: [String]) {
        for text in files {
            for setting in SPAText.settings(text) where setting.path == ["context.properties"] {
                guard setting.key.hasPrefix("default.clock."), let value = Int(setting.value) else { continue }
                set(String(setting.key.dropFirst("default.".count)), value)
            }
        }
    }

    private mutating func set(_ key: String, _ value: Int) {
        switch key {
        case "clock.quantum": usual = value
        case "clock.min-quantum": least = value
        case "clock.max-quantum": most = value
        case "clock.force-quantum": forced = value
        case "clock.rate" where value > 0: rate = value
        default: break
        }
    }

    /// The finding on whether PipeWire's blocks are small enough, so that a touch is heard soon.
    var diagnosis: Diagnosis {
        if forced > Self.ours { return .trouble(.forcedBlocks(words(forced))) }
        if forced == 0, least > Self.ours { return .trouble(.largeBlocks(words(least))) }
        let blocks = forced > 0 ? "PipeWire is held at blocks of \(words(forced))"
            : "PipeWire's blocks: \(words(usual)) usually, \(words(least)) if thrumd asks for it"
        return .ok(.sound, blocks + (isRunning ? "" : ", by its files"))
    }

    /// Returns a block size for people, for instance `1024 frames (21.3 ms)`.
    private func words(_ frames: Int) -> String { "\(frames) frames (\((Double(frames) * 1_000 / Double(rate)).fixed(1)) ms)" }
}

/// Reads PipeWire's configuration files: JSON in which quotes, colons and commas may be left out, with `=` and comments (pipewire.conf(5)).
enum SPAText {
    struct Setting: Equatable {
        /// The names of the sections around the setting, outermost first; an empty string for a section without a name.
        var path: [String]
        var key: String
        var value: String
    }

    /// Returns the settings whose values are single words, in the order of the text.
    static func settings(_ text: String) -> [Setting] {
        var settings: [Setting] = []
        var path: [String] = []
        var key: String?
        for word in words(text) {
            switch word {
            case "{", "[":
                path.append(key ?? "")
                key = nil
            case "}", "]":
                _ = path.popLast()
                key = nil
            default:
                if let name = key {
                    settings.append(Setting(path: path, key: name, value: word))
                    key = nil
                } else {
                    key = word
                }
            }
        }
        return settings
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.matches(of: /[{}\[\]]|"([^"]*)"|[^\s{}\[\]=:,"]+/).map { String($0.1 ?? $0.0) }
        }
    }
}
