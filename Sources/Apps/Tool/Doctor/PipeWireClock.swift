/// The sizes of the blocks in which PipeWire works, in frames.
struct PipeWireClock: Equatable {
    /// The block that PipeWire takes where nobody asks for another.
    var usual = 1_024
    /// The smallest block that a client may ask for.
    var least = 32
    var most = 2_048
    /// The block that all have to take; 0 where none is forced.
    var forced = 0
    /// Frames a second.
    var rate = 48_000
    /// Whether PipeWire itself told; else its files did, and it may have been told otherwise since.
    var isRunning = false

    /// The block that PipeWire's Pulse server takes from a stream at least, and so the largest that costs Thrum nothing, in frames.
    private static let ours = 256

    /// Reads what `pw-metadata -n settings` prints. Nil where there is no block in it.
    init?(metadata text: String) {
        let settings = text.matches(of: /key:'(clock\.[a-z-]+)' value:'([0-9]+)'/).map { (String($0.1), Int($0.2)) }
        guard settings.contains(where: { $0.0 == "clock.quantum" }) else { return nil }
        isRunning = true
        for case (let key, let value?) in settings { set(key, value) }
    }

    /// Reads PipeWire's files, of which later ones win.
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

    /// Says whether the blocks are small enough for a touch to be heard soon.
    var diagnosis: Diagnosis {
        if forced > Self.ours {
            return .warning(.sound, "PipeWire is held at blocks of \(words(forced)): each sound waits for up to so long, and more",
                            advice: "let it choose: pw-metadata -n settings 0 clock.force-quantum 0")
        }
        if forced == 0, least > Self.ours {
            return .warning(.sound, "PipeWire's blocks are at least \(words(least)): each sound waits for up to so long, and more",
                            advice: "leave it so in a virtual machine, where PipeWire sets this itself; else a file "
                                + "/etc/pipewire/pipewire.conf.d/thrum.conf with the line context.properties = { "
                                + "default.clock.min-quantum = 32 }, and then: systemctl --user restart pipewire")
        }
        let blocks = forced > 0 ? "PipeWire is held at blocks of \(words(forced))"
            : "PipeWire's blocks: \(words(usual)) usually, \(words(least)) if thrumd asks for it"
        return .ok(.sound, blocks + (isRunning ? "" : ", by its files"))
    }

    /// A block for people, for instance `1024 frames (21.3 ms)`.
    private func words(_ frames: Int) -> String { "\(frames) frames (\((Double(frames) * 1_000 / Double(rate)).fixed(1)) ms)" }
}

/// Reads PipeWire's configuration files: JSON in which quotes, colons and commas may be left out, with `=` and comments (pipewire.conf(5)).
enum SPAText {
    struct Setting: Equatable {
        /// The names of the sections around the setting, from the outside; empty for one without a name.
        var path: [String]
        var key: String
        var value: String
    }

    /// Returns the settings whose values are single words, in order.
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
