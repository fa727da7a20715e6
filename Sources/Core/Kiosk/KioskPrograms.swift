/// Writes the configuration of sway, the compositor of a kiosk. Its syntax is described by sway(5), sway-output(5) and sway-input(5).
public enum SwayConfiguration {
    /// Returns the configuration. It binds no keys and disables keyboards, so that nobody can leave the kiosk.
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
            // An output that shows no page is switched off.
            lines.append("output * disable")
            for (name, screen) in screens {
                lines.append("output \(name) enable")
                lines.append("output \(name) transform \(screen.rotation.rawValue)")
                // A page whose output is not connected waits on its own workspace, and does not cover another page.
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

/// Lists the arguments that start Chromium with a screen's page as its only window.
public enum ChromiumArguments {
    /// Returns the arguments. `address` is the daemon's address, such as `http://127.0.0.1:7400`. `profile` is the path of a folder for
    /// this browser's own data. `word` is a secret by which the daemon recognizes the page.
    public static func list(for screen: String, page: String, at address: String, profile: String, word: String) -> [String] {
        [
            "--kiosk", "--ozone-platform=wayland", "--class=\(SwayConfiguration.window(of: screen))", "--user-data-dir=\(profile)",
            // The pipe reports crashes of tabs, and shows whether the browser still answers.
            "--remote-debugging-pipe",
            // Switches the browser's own gestures and keys off.
            "--disable-pinch", "--overscroll-history-navigation=0", "--touch-events=enabled",
            "--disable-features=Translate,OverscrollHistoryNavigation,MediaRouter",
            // Keeps the browser from covering the page.
            "--no-first-run", "--no-default-browser-check", "--noerrdialogs", "--hide-crash-restore-bubble",
            "--disable-session-crashed-bubble", "--disable-infobars", "--password-store=basic",
            // Keeps the browser from acting on its own, for instance over the network.
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-breakpad",
            "--disable-domain-reliability", "--disk-cache-size=16777216", "--mute-audio", "--log-level=3",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE \(host(of: address))",
            url(of: page, at: address, screen: screen, word: word),
        ]
    }

    /// Returns the page's URL. Its parameter `kiosk` makes the page hide the cursor and report which screen it is on; `word` proves that to
    /// the daemon.
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
