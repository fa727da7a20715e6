/// How Chromium is started as a screen's only window.
public enum ChromiumArguments {
    /// `address` is the daemon's, such as `http://127.0.0.1:7400`; `profile` is a folder of the browser's own; `word` is what
    /// its page is known by.
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

    /// The page's own address. The wish `kiosk` has the page hide the cursor, and tell which screen it draws on; by `word` the daemon knows
    /// that it does.
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
