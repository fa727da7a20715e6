import Experience
import Fields
import FoundationEssentials
import Wire

/// The state of thrumd as its notifications report it. The view needs neither a terminal nor a socket.
struct LiveView {
    typealias Instant = ContinuousClock.Instant

    struct Happened {
        var at: Instant
        var text: String
    }

    /// The number of events that are remembered. It is larger than any terminal's height, so that a filter finds some.
    private static let mostRecent = 500

    /// The id of the query about the piece; the answer has the same id.
    static let pieceQuestion = 3

    private(set) var status: StatusReport
    private(set) var state: StateReport
    private(set) var meter = Meter()
    /// The events that have come, newest first; at most `mostRecent`.
    private(set) var recent: [Happened] = []
    private(set) var controls = LiveControls()
    /// The list `recent` and the number `count` as they were when the view was paused; nil while the view is not paused.
    private var paused: (recent: [Happened], count: Int)?
    /// The number of events that have come so far.
    private var count = 0
    /// The piece's state by field, as its last answer tells it; empty where the piece tells none.
    private(set) var piece: [String: JSONValue] = [:]
    /// The time at which the daemon started. `sessionBegun` is when the running session began; nil between visitors.
    private(set) var begun: Instant
    private(set) var sessionBegun: Instant?
    /// The time at which the daemon last sent a line.
    private(set) var heard: Instant

    /// Makes a view from the answer to `subscribe`. Throws a `DecodingError`.
    init(_ answer: [UInt8], at now: Instant) throws {
        let snapshot = try JSONDecoder().decode(Answer<Subscribed>.self, from: Data(answer)).result.snapshot
        let parts = try JSONDecoder().decode(Answer<Parts>.self, from: Data(answer)).result.snapshot
        status = snapshot.status
        state = snapshot.state
        begun = now
        heard = now
        take(snapshot.status, at: now)
        if let field = declaration?.snapshot?.field, case .object(let fields)? = parts[field] { piece = fields }
    }

    /// The declaration of the running piece; nil for a piece that this program does not know.
    var declaration: Declaration? { Pieces.current.all.declarations.first { $0.name == status.experience } }

    /// The events that the view shows, newest first: those that the filter lets through, up to the pause if the view is paused.
    var shown: [Happened] {
        let all = paused?.recent ?? recent
        return controls.filter.isEmpty ? all : all.filter { $0.text.lowercased().contains(controls.filter.lowercased()) }
    }

    /// The number of events that have come since the view was paused; 0 while it is not paused.
    var waiting: Int { paused.map { count - $0.count } ?? 0 }

    mutating func press(_ key: UInt8) {
        controls.press(key)
        if !controls.isPaused {
            paused = nil
        } else if paused == nil {
            paused = (recent, count)
        }
    }

    /// Takes a line from the daemon: a notification, or the answer to `status` or to the query about the piece.
    mutating func take(_ line: [UInt8], at now: Instant) throws {
        let data = Data(line)
        let decoder = JSONDecoder()
        let message = try decoder.decode(Line.self, from: data)
        heard = now
        switch message.id {
        // The answer may be an error, where the piece has nothing to say about itself.
        case Self.pieceQuestion?: piece = (try? decoder.decode(Answer<[String: JSONValue]>.self, from: data).result) ?? [:]
        case _?: take(try decoder.decode(Answer<StatusReport>.self, from: data).result, at: now)
        case nil: break
        }
        guard let method = message.method, let params = message.params else { return }
        switch Topic(method) {
        case .state: return state = try decoder.decode(Parameters<StateReport>.self, from: data).params
        case .meters: return meter.take(try decoder.decode(Parameters<MeterReport>.self, from: data).params, at: now)
        case .session:
            status.session = nil
            sessionBegun = params["phase"] == .text("began") ? now : nil
        case .fault:
            if case .list(let issues)? = params["issues"] { status.issues = issues.map(\.plain) }
        default: break
        }
        // Moving fingers are left out; they would crowd out everything else.
        guard params["phase"] != .text("moved") else { return }
        count += 1
        recent.insert(Happened(at: now, text: ReceivedNotification(method: method, params: params).summary), at: 0)
        if recent.count > Self.mostRecent { recent.removeLast() }
    }

    private mutating func take(_ report: StatusReport, at now: Instant) {
        status = report
        begun = now.advanced(by: .seconds(-report.uptimeSeconds))
        sessionBegun = report.session.map { now.advanced(by: .seconds(-$0.seconds)) }
    }

    private struct Line: Decodable {
        var method: String?
        var params: [String: JSONValue]?
        var id: Int?
    }

    private struct Parameters<Value: Decodable>: Decodable { var params: Value }

    private struct Parts: Decodable { var snapshot: [String: JSONValue] }

    private struct Subscribed: Decodable {
        struct Snapshot: Decodable {
            var status: StatusReport
            var state: StateReport
        }

        var snapshot: Snapshot
    }
}

/// What keys do to the live view: quit, pause, filter. This value needs no terminal.
struct LiveControls {
    private(set) var isPaused = false
    /// Whether keys are typed into the filter's text.
    private(set) var isTyping = false
    private(set) var wantsToQuit = false
    private var typed: [UInt8] = []

    /// The text that an event must contain to be shown; empty where all events are shown.
    var filter: String { String(decoding: typed, as: UTF8.self) }

    /// Handles a byte from the keyboard.
    mutating func press(_ key: UInt8) {
        if isTyping { type(key) } else { command(key) }
    }

    private mutating func command(_ key: UInt8) {
        switch key {
        case UInt8(ascii: "q"): wantsToQuit = true
        case UInt8(ascii: "p"), UInt8(ascii: " "): isPaused.toggle()
        case UInt8(ascii: "/"):
            typed = []
            isTyping = true
        case Self.escape: typed = []
        default: break
        }
    }

    private mutating func type(_ key: UInt8) {
        switch key {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isTyping = false
        case Self.escape:
            typed = []
            isTyping = false
        // Backspace; terminals send either code.
        case 8, 127: typed = Array(filter.dropLast().utf8)
        case 32...: if typed.count < 64 { typed.append(key) }
        default: break
        }
    }

    private static let escape: UInt8 = 27

    /// Returns the line at the bottom that explains the keys. `waiting` is the number of events since the pause.
    func hint(waiting: Int) -> String {
        let pause = isPaused ? "p goes on (paused, \(waiting) more)" : "p pauses"
        if isTyping { return "filter: \(filter)▏ Enter keeps it, Esc takes it away" }
        return "q quits, \(pause), " + (filter.isEmpty ? "/ filters" : "/ filters (\(filter)), Esc shows all")
    }
}

/// A level meter: the present level, and the highest recent peak.
struct Meter {
    /// The range of the bars, in dBFS.
    private static let range = -60.0...0.0
    /// The time for which the mark of a peak stays, unless a higher peak comes.
    private static let hold = Duration.seconds(2)

    private(set) var level = MeterReport(peak: -120, rms: -120)
    private(set) var held = -120.0
    private var heldSince: ContinuousClock.Instant?

    mutating func take(_ report: MeterReport, at now: ContinuousClock.Instant) {
        level = report
        if let heldSince, report.peak < held, heldSince.duration(to: now) < Self.hold { return }
        held = report.peak
        heldSince = now
    }

    func peakBar(columns: Int) -> String {
        var cells = Self.cells(level.peak, columns)
        let mark = Self.count(held, columns)
        if mark > Self.count(level.peak, columns) { cells[mark - 1] = "│" }
        return cells.joined()
    }

    func rmsBar(columns: Int) -> String { Self.cells(level.rms, columns).joined() }

    private static func cells(_ level: Double, _ columns: Int) -> [String] {
        let full = count(level, columns)
        return (0..<columns).map { $0 < full ? "█" : "░" }
    }

    /// Returns how many of the bar's `columns` columns are filled at `level`, which is in dBFS.
    private static func count(_ level: Double, _ columns: Int) -> Int {
        let inside = min(range.upperBound, max(range.lowerBound, level))
        let part = (inside - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Int((part * Double(columns)).rounded())
    }
}
