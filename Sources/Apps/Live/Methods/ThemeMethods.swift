import Fields
import ThemeFile
import Wire

/// The methods by which operators change how chimes, patterns and textures sound and feel.
enum ThemeMethods {
    static let all: [Method] = [
        .command("theme.set", .act(by: .operator), refuses: [.notNow, .unavailable],
                 "What names sound and feel like from now on, in this session and those to come.", read: {
            try $0.text("name", about: "one of theme.list")
        }) {
            stage, name, caller in
            stage.choose(caller, { house throws(Fault) in try house.use(theme: name) }, then: { $0.answer(Receipt(frame: nil)) })
        },
        .query("theme.list", "The themes there are.", result: "themes", Example.names) { NameList(names: $0.house.themes.keys) },
        .query("chime.list", "The theme's chimes.", result: "chimes", Example.names) { NameList(names: $0.conductor.theme.chimes.keys) },
        .command("theme.load", .act(by: .operator), refuses: [.notNow, .unavailable],
                 "A theme of the client's own, which is used at once, and listed from then on.", read: {
            try $0.text("yaml", limit: ThemeFile.largest, about: "what a theme's file would have, with patterns instead of AHAP files")
        }) { stage, yaml, caller in stage.desks.themes.load(yaml, stage.settings.values, caller) },
        .query("haptic.list", "The theme's haptic patterns.", result: "patterns", Example.names) {
            NameList(names: $0.conductor.theme.haptics.keys)
        },
        .query("texture.list", "The theme's textures.", result: "textures", Example.names) {
            NameList(names: $0.conductor.theme.textures.keys)
        },
    ]
}
