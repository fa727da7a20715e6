import Experience
import Wire

/// The program `thrum`, apart from its executable, so that tests can reach into it.
public enum ToolProgram {
    /// Runs the command line of this process, and returns when it is done; else ends the process with an exit status.
    public static func main(pieces: [any Experience.Type]) async {
        await Pieces.$current.withValue(Pieces(pieces)) { await Thrum.main() }
    }
}

/// The pieces that there are, and what may be asked of a daemon that has them.
struct Pieces: Sendable {
    let all: [any Experience.Type]
    /// The methods of a daemon that has these pieces. Put together anew at each call, because few commands need them.
    var methods: KnownMethods { KnownMethods(all.declarations) }
    /// The topics of a daemon that has these pieces.
    var topics: TopicTable { TopicTable(all.declarations) }

    /// The pieces of this program. Tasks inherit the value, threads do not.
    @TaskLocal static var current = Pieces([])

    init(_ all: [any Experience.Type]) { self.all = all }
}
