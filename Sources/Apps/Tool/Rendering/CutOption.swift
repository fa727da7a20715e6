import ArgumentParser
import Offline
import Units

/// Which part of a session is wanted.
struct CutOption: ParsableArguments {
    @Option(help: ArgumentHelp("From this moment on: seconds, m:ss, h:mm:ss or a mark's text.", valueName: "time|mark"))
    var from: SessionPoint?

    @Option(help: ArgumentHelp("Up to this moment.", valueName: "time|mark"))
    var to: SessionPoint?

    @Option(help: ArgumentHelp("From this mark to the next one, or to the end.", valueName: "text"))
    var mark: String?

    func validate() throws {
        guard mark == nil || from == nil && to == nil else {
            throw ValidationError("--mark: expected none beside --from and --to, found \"\(mark ?? "")\"")
        }
    }

    /// What the part is called in names of files, beside the session: `-from-1m30s-to-1m45.5s`; nothing for the whole.
    var nameSuffix: String {
        [("from", from), ("to", to), ("mark", mark.map { .mark($0) })]
            .compactMap { word, point in point.map { "-\(word)-" + $0.fileName } }.joined()
    }

    var cut: SessionCut { mark.map { .mark($0) } ?? .between(from, to) }
}

extension SessionPoint: ExpressibleByArgument {
    /// In a file's name: of a mark its letters and digits, at most 40.
    fileprivate var fileName: String {
        switch self {
        case .time(let time):
            // Always with three digits after the point.
            let parts = time.clock(3).replacing(/\.?0+$/, with: "").split(separator: ":")
            return zip(parts, ["h", "m", "s"].suffix(parts.count)).map { $0 + $1 }.joined()
        case .mark(let text):
            return text.prefix(40).split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        }
    }

    /// What is no time is a mark's text.
    public init(argument: String) {
        guard let time = argument.wholeMatch(of: /(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,9}(?:\.[0-9]{1,9})?)/),
              let seconds = Double(time.3) else {
            self = .mark(argument)
            return
        }
        let minutes = time.2.flatMap { Int($0) }
        let hours = time.1.flatMap { Int($0) }
        // 1:75 is a slip, not a time.
        guard minutes == nil || seconds < 60, hours == nil || (minutes ?? 0) < 60 else {
            self = .mark(argument)
            return
        }
        self = .time(Seconds(Double((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + seconds))
    }
}
