import AudioOutput
import JournalFile
import Signals
import SystemPackage
import Wire

extension EngineQuestion {
    /// What `settings` and `status` say to it; nil when the disk or the sound server must be asked, which takes longer.
    func answer(_ settings: LiveSettings, _ theme: Theme, _ house: House, _ status: () -> StatusReport) -> (any Encodable)? {
        switch self {
        case .session: SessionAnswer(session: status().session)
        case .journal: JournalAnswer(folder: settings.sessions, journal: status().session?.journal)
        case .devices: status().devices
        case .latency: status().output.latency
        case .chimes: NameList(names: theme.chimes.keys)
        case .patterns: NameList(names: theme.haptics.keys)
        case .themes: NameList(names: house.themes.keys)
        case .presets: NameList(names: house.venue.presets.keys)
        case .sessions, .sinks: nil
        }
    }

    /// The rest. Waits; thread: one that may.
    func longAnswer(_ settings: LiveSettings) throws(ErrorReply) -> any Encodable & Sendable {
        switch self {
        case .sessions(let count):
            do {
                let recorded = try SessionFolder(FilePath(settings.sessions)).sessions().suffix(count).reversed()
                return SessionList(sessions: recorded.map {
                    SessionList.Session(journal: $0.path.string, bytes: $0.bytes, modified: $0.modified)
                })
            } catch {
                throw ErrorReply(.refused, "\(settings.sessions): \(error)")
            }
        case .sinks:
            guard case .pulse(let pulse) = settings.output else { return SinkList(sinks: []) }
            do {
                return SinkList(sinks: try PulseSurvey.sinks(server: pulse.server).map { sink in
                    SinkList.Sink(name: sink.name, description: sink.description, channels: sink.channels, sampleRate: sink.rate,
                                  isDefault: sink.isDefault, isMuted: sink.isMuted, volume: sink.volume)
                })
            } catch {
                throw ErrorReply(.refused, "the sound server cannot be asked: \(error)")
            }
        case .session, .journal, .devices, .latency, .chimes, .patterns, .themes, .presets:
            preconditionFailure("these are answered at once")
        }
    }
}
