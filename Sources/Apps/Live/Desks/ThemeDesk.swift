import Fields
import Files
import PatternWaveforms
import Signals
import ThemeFile
import Wire
import YAML

/// Takes themes that clients bring. A plain value. Thread: the event loop.
struct ThemeDesk {
    private let waveforms: PatternWaveforms
    private let workers: Workers

    /// `workers` read themes and work out their patterns.
    init(_ waveforms: PatternWaveforms, _ workers: Workers) { (self.waveforms, self.workers) = (waveforms, workers) }

    /// Works out the patterns of `theme`, which takes its time where they are new. Returns false where there is no more room for them.
    func learn(_ theme: Theme) -> Bool { waveforms.learn(theme) }

    /// Uses a theme that is told as its file's text. It is read, and its patterns are worked out, on a thread that may wait.
    func load(_ yaml: String, _ settings: LiveSettings, _ caller: Caller) {
        Later(caller).work(by: workers) { [waveforms] () throws(ErrorReply) in
            do {
                let theme = try settings.theme(of: yaml)
                waveforms.learn(theme)
                return theme
            } catch let fault as Fault {
                throw ErrorReply(.refused(.notNow), fault: fault)
            } catch let fault as FileFault {
                throw ErrorReply(.refused(.notNow), "\(fault)")
            } catch {
                throw ErrorReply(.refused(.unavailable), "\(error)")
            }
        } then: { stage, theme in
            stage.choose(caller, { $0.use(theme) }, then: { $0.answer(Receipt(frame: nil)) })
        }
    }
}

/// The methods by which operators change what names sound and feel like.
extension ThemeDesk {
    static let methods: [Method] = [
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
