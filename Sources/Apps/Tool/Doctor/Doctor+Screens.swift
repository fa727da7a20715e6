import FoundationEssentials
import Glibc
import Kiosk

/// Checks screens, and the programs that draw on them.
extension Doctor {
    /// Checks the connected screens, and the programs that a kiosk needs.
    func checkScreens() -> [Diagnosis] {
        // A fault in the settings is reported by the check of the settings.
        let isWanted = ((try? settings.files().decode(KioskSection.self, keys: ["kiosk"]).kiosk) ?? nil) != nil
        let folder = "/sys/class/drm"
        let screens = KernelFiles.names(folder).filter { KernelFiles.word("\(folder)/\($0)/status") == "connected" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return screens.map { screen in
            PanelTiming.judge(Self.output(screen), KernelFiles.bytes("\(folder)/\(screen)/edid").flatMap { PanelTiming(edid: $0) })
        } + [KioskNeeds.judge(connected: screens, isWanted: isWanted)].compactMap(\.self)
            + KioskNeeds.judge(isWanted: isWanted) { program in path.contains { access("\($0)/\(program)", X_OK) == 0 } }
    }

    /// Returns the name that compositors give a screen: `HDMI-A-1` for `card1-HDMI-A-1`.
    private static func output(_ screen: String) -> String {
        screen.split(separator: "-", maxSplits: 1).last.map(String.init) ?? screen
    }
}

/// The preferred picture size and rate of a screen, from its EDID (VESA E-EDID Standard, release A, revision 2).
struct PanelTiming: Equatable {
    /// The size in pixels.
    var width: Int
    var height: Int
    /// The refresh rate in Hz.
    var rate: Double
    /// The highest refresh rate in Hz that the screen accepts; nil where the EDID does not say.
    var highest: Int?
}

extension PanelTiming {
    private static let blockSize = 128
    /// The offsets of the four 18-byte descriptors. The first descriptor is the preferred timing.
    private static let descriptors = stride(from: 54, through: 108, by: 18)

    /// Reads an EDID. Nil where `edid` is no EDID, is damaged, or has an interlaced or no preferred timing.
    init?(edid: [UInt8]) {
        guard edid.count >= Self.blockSize, Array(edid[..<8]) == [0, 255, 255, 255, 255, 255, 255, 0],
              edid[..<Self.blockSize].reduce(0, &+) == 0 else { return nil }
        func number(_ low: Int, _ high: Int, shifted shift: Int) -> Int { Int(edid[54 + low]) | (Int(edid[54 + high]) >> shift & 15) << 8 }
        // The pixel clock, in units of 10 kHz.
        let clock = Int(edid[54]) | Int(edid[55]) << 8
        let isInterlaced = edid[54 + 17] & 0x80 != 0
        width = number(2, 4, shifted: 4)
        height = number(5, 7, shifted: 4)
        let whole = (width + number(3, 4, shifted: 0)) * (height + number(6, 7, shifted: 0))
        guard clock > 0, width > 0, height > 0, !isInterlaced else { return nil }
        rate = Double(clock) * 10_000 / Double(whole)
        let limits = Self.descriptors.first { edid[$0] == 0 && edid[$0 + 1] == 0 && edid[$0 + 3] == 0xFD }
        // For rates above 255 Hz, a flag says that 255 is to be added.
        highest = limits.map { Int(edid[$0 + 6]) + (edid[$0 + 4] & 2 != 0 ? 255 : 0) }
    }

    /// The rate in Hz below which a picture that follows a finger visibly moves in steps.
    private static let smooth = 50.0

    /// Judges how often the screen called `name` shows a new picture; `timing` is nil where its EDID cannot be read.
    static func judge(_ name: String, _ timing: PanelTiming?) -> Diagnosis {
        guard let timing else {
            return .ok(.screens, "screen \(name) does not say how many pictures a second it likes best")
        }
        let words = "screen \(name) likes \(timing.width) × \(timing.height) at \(timing.rate.fixed(1)) Hz best: a new picture each "
            + "\((1_000 / timing.rate).fixed(1)) ms"
        guard timing.rate < smooth else { return .ok(.screens, words) }
        return .trouble(.slowScreen(words, highest: timing.highest.flatMap { Double($0) >= smooth ? $0 : nil }))
    }
}

/// The programs that the kiosk starts, and similar ones that it does not start.
enum KioskNeeds {
    private struct Need {
        var role: String
        var program: String
        /// The programs of the same role that `thrum kiosk` does not start, even where they are installed.
        var others: [String]
    }

    private static let needs = [
        Need(role: "compositor", program: "sway", others: ["cage", "labwc", "weston", "wayfire"]),
        Need(role: "remote control of sway", program: "swaymsg", others: []),
        Need(role: "browser", program: "chromium", others: ["chromium-browser", "google-chrome", "firefox", "firefox-esr"]),
    ]

    /// Judges whether the programs that a kiosk needs are installed. `isWanted` says whether the settings make a kiosk of this machine;
    /// `isThere` says whether a program is in PATH.
    static func judge(isWanted: Bool, isThere: (String) -> Bool) -> [Diagnosis] {
        guard isWanted else { return [.ok(.kiosk, "the settings make no kiosk of this machine: no compositor and no browser is needed")] }
        let voice: [Diagnosis] = isThere("espeak-ng") ? [] : [.trouble(.noVoice)]
        let missing = needs.filter { !isThere($0.program) }
        guard !missing.isEmpty else { return [.ok(.kiosk, "sway and Chromium are there for the kiosk")] + voice }
        return missing.map { need in
            let others = need.others.filter(isThere)
            let instead = others.isEmpty ? "" : "; \(others.joined(separator: " and ")), which is there, is not started by thrum kiosk"
            return .trouble(.kioskLacks(need.role, program: need.program, instead,
                                       package: need.program == "swaymsg" ? "sway" : need.program))
        } + voice
    }

    /// Judges whether a kiosk has a screen. `connected` are the connected screens. Returns a warning where the settings make a kiosk of
    /// this machine (`isWanted`) and no screen is connected; otherwise nil.
    static func judge(connected: [String], isWanted: Bool) -> Diagnosis? {
        isWanted && connected.isEmpty ? .trouble(.noScreen) : nil
    }
}
