import Escaping
import Logging

/// Log records for a terminal: what it would obey shows as `·` (`String.printable`).
struct PrintableLogHandler: LogHandler {
    private var handler: any LogHandler

    init(_ handler: any LogHandler) { self.handler = handler }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues { "\("\($0)".printable)" } }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map { "\("\($0)".printable)" } }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\("\(event.message)".printable)"
        event.metadata = event.metadata?.mapValues { "\("\($0)".printable)" }
        handler.log(event: event)
    }
}
