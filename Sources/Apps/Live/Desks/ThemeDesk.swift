import Fields
import Files
import PatternWaveforms
import Signals
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
