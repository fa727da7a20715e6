import Fields
import Signals
import Wire
import YAML

// Themes that clients bring.
extension Stage {
    /// Uses a theme that is told as its file's text. It is read, and its patterns are worked out, on a thread that may wait.
    func load(_ yaml: String, _ caller: Caller) {
        work(workers.operators, caller) { [settings = settings.values, waveforms] () throws(ErrorReply) in
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
