import Fields
import NIOCore
import NIOPosix
import Signals
import Wire
import YAML

// Themes that clients bring.
extension Stage {
    /// Uses a theme that is told as its file's text. It is read, and its patterns are worked out, on a thread that may wait.
    func load(_ yaml: String, _ caller: Caller) {
        do throws(ErrorReply) {
            try deferredAnswers.begin()
        } catch {
            return caller.refuse(error)
        }
        NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [settings = settings.values, waveforms] in
            let theme = try settings.theme(of: yaml)
            waveforms.learn(theme)
            return theme
        }.assumeIsolated().whenComplete { result in
            self.assumeIsolated { stage in
                stage.deferredAnswers.end()
                switch result {
                case .success(let theme):
                    stage.choose(caller, { $0.use(theme) }, then: { $0.answer(Receipt(frame: nil)) })
                case .failure(let fault as Fault): caller.refuse(ErrorReply(.refused(.notNow), fault: fault))
                case .failure(let fault as FileFault): caller.refuse(ErrorReply(.refused(.notNow), "\(fault)"))
                case .failure(let error): caller.refuse(ErrorReply(.refused(.unavailable), "\(error)"))
                }
            }
        }
    }
}
