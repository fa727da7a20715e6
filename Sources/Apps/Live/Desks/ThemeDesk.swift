import Fields
import Files
import PatternWaveforms
import Signals
import Wire
import YAML

/// Uses themes that clients send. A plain value. Thread: the event loop.
struct ThemeDesk {
    private let waveforms: PatternWaveforms
    private let workers: Workers

    /// `workers` are the threads that read themes and compute their patterns' waveforms.
    init(_ waveforms: PatternWaveforms, _ workers: Workers) { (self.waveforms, self.workers) = (waveforms, workers) }

    /// Computes the waveforms of the patterns of `theme`, which may take long for new patterns. Returns false where there is no room for
    /// more waveforms.
    func learn(_ theme: Theme) -> Bool { waveforms.learn(theme) }

    /// Uses a theme that a client sends as the text of its file. A worker thread reads the theme and computes its waveforms.
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
