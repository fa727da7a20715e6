/// Writes sway's configuration for a kiosk; sway(5), sway-output(5) and sway-input(5) describe its words.
public enum SwayConfiguration {
    /// Writes the configuration. It binds no key and disables keyboards, so that nobody gets out of the kiosk.
    public static func text(for settings: KioskSettings) -> String {
        var lines = [
            "xwayland disable",
            "default_border none",
            "focus_follows_mouse no",
            "seat * hide_cursor 100",
            "input type:keyboard events disabled",
            "output * background #000000 solid_color",
        ]
        let screens = settings.screens.sorted { $0.key < $1.key }
        if let screen = settings.screens[KioskSettings.anyOutput] {
            lines.append("output * transform \(screen.rotation.rawValue)")
        } else {
            // What shows nothing has no signal.
            lines.append("output * disable")
            for (name, screen) in screens {
                lines.append("output \(name) enable")
                lines.append("output \(name) transform \(screen.rotation.rawValue)")
                // A page whose output is not there waits on its own workspace, and not over another's page.
                lines.append("workspace \(name) output \(name)")
                lines.append("assign [app_id=\"^\(window(of: name))$\"] workspace \(name)")
            }
            if screens.count == 1, let name = screens.first?.key { lines.append("input type:touch map_to_output \(name)") }
        }
        for (name, screen) in screens {
            guard let touch = screen.touch else { continue }
            lines.append("input \"\(touch)\" map_to_output \(name == KioskSettings.anyOutput ? "*" : name)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The app id of a screen's browser window.
    static func window(of screen: String) -> String { "thrum-\(screen)" }
}

/// Lists the arguments that start Chromium as a screen's only window.
public enum ChromiumArguments {
    /// Returns the arguments. `address` is the daemon's, such as `http://127.0.0.1:7400`; `profile` is a folder of the browser's own;
    /// `word` identifies its page to the daemon.
    public static func list(for screen: String, page: String, at address: String, profile: String, word: String) -> [String] {
        [
            "--kiosk", "--ozone-platform=wayland", "--class=\(SwayConfiguration.window(of: screen))", "--user-data-dir=\(profile)",
            // Crashes of tabs, and whether it still answers.
            "--remote-debugging-pipe",
            // Gestures and keys of the browser's own.
            "--disable-pinch", "--overscroll-history-navigation=0", "--touch-events=enabled",
            "--disable-features=Translate,OverscrollHistoryNavigation,MediaRouter",
            // What it would put over the page.
            "--no-first-run", "--no-default-browser-check", "--noerrdialogs", "--hide-crash-restore-bubble",
            "--disable-session-crashed-bubble", "--disable-infobars", "--password-store=basic",
            // What it would do by itself.
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-breakpad",
            "--disable-domain-reliability", "--disk-cache-size=16777216", "--mute-audio", "--log-level=3",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE \(host(of: address))",
            url(of: page, at: address, screen: screen, word: word),
        ]
    }

    /// Returns the page's own address. Its parameter `kiosk` has the page hide the cursor and tell which screen it draws on; `word` proves
    /// that to the daemon.
    public static func url(of page: String, at address: String, screen: String, word: String) -> String {
        let parts = page.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let folder = parts[0].isEmpty || parts[0].hasSuffix("/") ? String(parts[0]) : parts[0] + "/"
        let wishes = parts.count > 1 && !parts[1].isEmpty ? "\(parts[1])&" : ""
        return "\(address)/\(folder)?\(wishes)kiosk=\(screen)&word=\(word)"
    }

    private static func host(of address: String) -> Substring {
        let host = address.drop { $0 != "/" }.drop { $0 == "/" }
        return host[..<(host.lastIndex(of: ":") ?? host.endIndex)]
    }
}
