/// sway's configuration for a kiosk; sway(5), sway-output(5) and sway-input(5) have the words.
public enum SwayConfiguration {
    /// It binds no key, so that nobody gets out of the kiosk, and no key does anything at all.
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

    /// What the window of a screen's browser is called.
    static func window(of screen: String) -> String { "thrum-\(screen)" }
}
