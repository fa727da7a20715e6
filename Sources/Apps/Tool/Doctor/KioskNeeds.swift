/// The programs that the kiosk starts, and those that people take for them.
enum KioskNeeds {
    private struct Need {
        var role: String
        var program: String
        /// Programs of the same role that `thrum kiosk` does not start.
        var others: [String]
    }

    private static let needs = [
        Need(role: "compositor", program: "sway", others: ["cage", "labwc", "weston", "wayfire"]),
        Need(role: "remote control of sway", program: "swaymsg", others: []),
        Need(role: "browser", program: "chromium", others: ["chromium-browser", "google-chrome", "firefox", "firefox-esr"]),
    ]

    /// Says whether the kiosk can start. `isWanted` says whether the settings make a kiosk of this machine, `isThere` whether a program is
    /// on the path.
    static func judge(isWanted: Bool, isThere: (String) -> Bool) -> [Diagnosis] {
        guard isWanted else { return [.ok(.kiosk, "the settings make no kiosk of this machine: no compositor and no browser is needed")] }
        let missing = needs.filter { !isThere($0.program) }
        guard !missing.isEmpty else { return [.ok(.kiosk, "sway and Chromium are there for the kiosk")] }
        return missing.map { need in
            let others = need.others.filter(isThere)
            let instead = others.isEmpty ? "" : "; \(others.joined(separator: " and ")), which is there, is not started by thrum kiosk"
            return .problem(.kiosk, "the kiosk's \(need.role) is missing: no \(need.program) on the path\(instead)",
                            advice: "sudo apt install thrum-kiosk, which brings sway and Chromium, or without the package: "
                                + "sudo apt install \(need.program == "swaymsg" ? "sway" : need.program)")
        }
    }

    /// Says whether a page of the kiosk can be seen. `connected` are the screens that are plugged in.
    static func judge(connected: [String], isWanted: Bool) -> Diagnosis? {
        guard isWanted, connected.isEmpty else { return nil }
        return .warning(.screens, "no screen is plugged in, though the settings make a kiosk of this machine",
                        advice: "plug one in and switch it on; ls /sys/class/drm shows the ports that the kernel knows")
    }
}
