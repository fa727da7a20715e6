import Fields
import Units
import Wire

/// Says how a setting's value is read from text, and how its default is written. All sources of settings give text, so all have the same
/// rules.
public struct SettingKind<Value: Sendable>: Sendable {
    let shape: SettingShape
    let unit: String?
    /// Reads text; nil where the value is not allowed.
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String

    init(_ shape: SettingShape, unit: String? = nil, read: @escaping @Sendable (String) -> Value?,
         write: @escaping @Sendable (Value) -> String) {
        self.shape = shape
        self.unit = unit
        self.read = read
        self.write = write
    }

    private static func number(_ range: ClosedRange<Double>, unit: String, _ make: @escaping @Sendable (Double) -> Value,
                               _ number: @escaping @Sendable (Value) -> Double) -> Self {
        Self(.number(range), unit: unit, read: { Double($0).flatMap { range.contains($0) ? make($0) : nil } },
             write: { Fault.plain(number($0)) })
    }

    private static func whole(_ range: ClosedRange<Int>, unit: String?, _ make: @escaping @Sendable (Int) -> Value?,
                              _ number: @escaping @Sendable (Value) -> Int) -> Self {
        Self(.whole(range), unit: unit, read: { Int($0).flatMap { range.contains($0) ? make($0) : nil } }, write: { "\(number($0))" })
    }
}

extension SettingKind where Value == Double {
    static func number(_ range: ClosedRange<Double>, unit: String) -> Self { number(range, unit: unit, { $0 }, { $0 }) }
}

extension SettingKind where Value == Seconds {
    static func seconds(_ range: ClosedRange<Double>) -> Self { number(range, unit: "s", { Seconds($0) }, \.rawValue) }

    static func milliseconds(_ range: ClosedRange<Double>) -> Self {
        number(range, unit: "ms", { .milliseconds($0) }, { $0.rawValue * 1000 })
    }

    static func days(_ range: ClosedRange<Int>) -> Self {
        whole(range, unit: "days", { Seconds(Double($0) * 86_400) }, { Int($0.rawValue / 86_400) })
    }
}

extension SettingKind where Value == Decibels {
    static func fullScale(_ range: ClosedRange<Double>) -> Self { number(range, unit: "dBFS", { Decibels($0) }, \.rawValue) }
}

extension SettingKind where Value == SampleRate {
    static var sampleRate: Self { whole(SampleRate.supported, unit: "Hz", { SampleRate($0) }, { Int($0.hertz) }) }
}

extension SettingKind where Value == Int {
    static func whole(_ range: ClosedRange<Int>, unit: String? = nil) -> Self { whole(range, unit: unit, { $0 }, { $0 }) }

    /// A port of TCP or UDP.
    static var port: Self { whole(1...65_535) }
}

extension SettingKind where Value == UInt64 {
    /// A seed: a whole number that JSON can hold.
    static var seed: Self { whole(0...(1 << 53 - 1), unit: nil, { UInt64($0) }, { Int($0) }) }
}

extension SettingKind where Value == Bool {
    static var yesOrNo: Self {
        Self(.choice(["yes", "no"]), read: { ["yes": true, "no": false][$0] }, write: { $0 ? "yes" : "no" })
    }
}

extension SettingKind where Value == [Int] {
    /// The numbers of some channels of a sink, counted from 1, as in `3,4`.
    static var channels: Self {
        Self(.text("channels from 1 to 8, as in 3,4"), read: { text in
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let channels = words.compactMap { word in Int(word.filter { $0 != " " }) }.filter { (1...8).contains($0) }
            return channels.count == words.count && Set(channels).count == channels.count ? channels : nil
        }, write: { $0.map(String.init).joined(separator: ",") })
    }
}

extension SettingKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    static var choice: Self { Self(.choice(Value.allCases.map(\.rawValue)), read: { Value(rawValue: $0) }, write: \.rawValue) }
}

extension SettingKind where Value == String {
    static func word(of choices: [String]) -> Self {
        Self(.choice(choices), read: { choices.contains($0) ? $0 : nil }, write: { $0 })
    }

    /// Any text. The code that uses the setting checks it.
    static func text(_ words: String) -> Self { Self(.text(words), read: { $0 }, write: { $0 }) }
    static func file(_ words: String) -> Self { Self(.file(words), read: { $0 }, write: { $0 }) }
    static func directory(_ words: String) -> Self { Self(.directory(words), read: { $0 }, write: { $0 }) }

    static var socket: Self { file("a path of at most 107 bytes") }
    static var address: Self { text("an address of this machine") }
    static var users: Self { text("users of this machine, separated by commas") }
}

extension SettingKind where Value == Endpoint {
    static var endpoint: Self {
        Self(.text("a port from 1 to 65535, or ADDRESS:PORT as in 0.0.0.0:7400"), read: { Endpoint($0) }, write: \.host)
    }
}

/// Says which texts are allowed as a setting's value, whatever the type that is made of them.
public enum SettingShape: Equatable, Sendable {
    case choice([String])
    case number(ClosedRange<Double>)
    case whole(ClosedRange<Int>)
    /// Text, with a description in words of what is allowed.
    case text(String)
    /// A path, with a description in words; `~` at its start is the home directory.
    case file(String)
    case directory(String)
    /// A mapping with keys of its own, in a settings file only, with a description in words.
    case mapping(String)

    /// Says which values are allowed, for instance `a number from 50 to 500 (ms)`.
    func expected(unit: String?) -> String {
        let unit = unit.map { " (\($0))" } ?? ""
        return switch self {
        case .choice(let choices): "one of " + choices.joined(separator: ", ")
        case .number(let range): "a number from \(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))" + unit
        case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)" + unit
        case .text(let words), .file(let words), .directory(let words), .mapping(let words): words
        }
    }

    public var isPath: Bool {
        switch self {
        case .file, .directory: true
        default: false
        }
    }

    /// The range of a number, for instance `50 to 500`; nil for a setting that is no number.
    var bounds: String? {
        switch self {
        case .number(let range): "\(Fault.plain(range.lowerBound)) to \(Fault.plain(range.upperBound))"
        case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
        default: nil
        }
    }

    /// Whether a value may begin with a minus sign. The command line must then not take the value for a flag.
    public var allowsNegative: Bool {
        switch self {
        case .number(let range): range.lowerBound < 0
        case .whole(let range): range.lowerBound < 0
        default: false
        }
    }
}

/// The address and the port at which a server of this machine listens.
public struct Endpoint: Equatable, Sendable {
    public var address: String
    public var port: Int

    /// Reads `PORT`, which is a port of 127.0.0.1, `ADDRESS:PORT` or `[ADDRESS]:PORT`; nil for text in no such form.
    init?(_ text: String) {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard digits.allSatisfy(\.isNumber), let port = Int(digits), (1...65_535).contains(port) else { return nil }
        var address = colon.map { text[..<$0] } ?? "127.0.0.1"
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
        } else if address.contains(":") {
            return nil
        }
        guard !address.isEmpty else { return nil }
        self.address = String(address)
        self.port = port
    }

    /// Whether only this machine reaches the address.
    public var isLoopback: Bool {
        address == "localhost" || address == "::1" || address.hasPrefix("127.") || address.lowercased().hasPrefix("::ffff:127.")
    }

    /// The endpoint as the host part of a URL.
    public var host: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}

extension SettingsCatalog {
    /// The setting for where the sound goes: a kind of output and, for a card, its name.
    public enum Output: Equatable, Sendable {
        case pulse
        /// A card without a sound server, by its name in ALSA; nil for the first card.
        case alsa(device: String?)
        case null
    }
}

extension SettingKind where Value == SettingsCatalog.Output {
    /// The name of a kind of output. For a card, a colon and the name of the card may follow.
    static var output: Self {
        Self(.text(OutputKind.list(\.spelling)), read: { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let kind = parts.first.flatMap(OutputKind.init(rawValue:)) else { return nil }
            let device = parts.count > 1 ? parts[1] : nil
            return switch kind {
            case .pulse: device == nil ? .pulse : nil
            case .alsa: device == "" ? nil : .alsa(device: device)
            case .null: device == nil ? .null : nil
            }
        }, write: { output in
            switch output {
            case .pulse: OutputKind.pulse.rawValue
            case .alsa(let device): OutputKind.alsa.rawValue + (device.map { ":" + $0 } ?? "")
            case .null: OutputKind.null.rawValue
            }
        })
    }
}
