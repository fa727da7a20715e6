import AudioOutput
import CLinux
import Experience
import Fields
import Signals
import Synchronization
import Units
import Venue
import Wire

/// Every method of the daemon. One entry here adds a method: its name, who may call it, its purpose, an example of its answer, how its
/// parameters are read, and what it does. OpenRPC, `hello`, OSC, `thrum send` and docs/reference list it without further changes.
enum EngineMethods {
    /// Returns the table of the engine's methods and those of `piece`, which is the piece that runs. It knows the methods of the other
    /// `pieces` in order to refuse them by name. Topics of all pieces may be subscribed to, so that a watcher need not know which piece
    /// runs.
    static func table(_ piece: Declaration, among pieces: [Declaration]) -> MethodTable {
        let others = pieces.filter { $0.name != piece.name }
        return MethodTable(all([piece], others: others), experience: piece.name, others: others)
    }

    /// Returns the engine's methods together with those of all `pieces`. Topics of `others` may be subscribed to as well.
    static func all(_ pieces: [Declaration], others: [Declaration] = []) -> [Method] {
        let (actions, queries) = (pieces.flatMap(\.actions), pieces.flatMap(\.queries))
        let answers = pieces.reduce(into: [String: [JSONValue]]()) { all, piece in
            for (event, answer) in piece.answers { all[event, default: []].append(answer) }
        }
        return connection(TopicTable(pieces + others), pieces) + house + SessionMethods.all
            + HouseholdMethods.all + outputs + tokens + knobsAndCounters + PublishingMethods.all + OperationMethods.all
            + ThemeMethods.all + RehearsalMethods.all + ExploreMethods.all + PresenceMethods.all + SpeechMethods.all + [.ping]
            + Method.events(turning: pieces.flatMap(\.knobs), answers: answers)
            + actions.map { .action($0, answers: answers[$0.name] ?? []) } + queries.map { .query($0) }
    }

    private static func connection(_ topics: TopicTable, _ pieces: [Declaration]) -> [Method] {
        [
            .command("hello", .look, "The front end introduces itself, which it need not.", result: "greeting",
                     examples: [Example.greeting], read: { fields in
                let name = try fields.textIfPresent("client", about: "the front end's name, for the log")
                let gestures = try fields.flagIfPresent("gestures", about: "true: it reports swipes and taps itself") ?? false
                let touches: TouchOwnership.Wish? = try fields.choiceIfPresent(
                    "touches", about: "a page's: engine if it fills the screen and draws from the engine's touches, page if it has its own")
                if gestures, touches != nil {
                    throw fields.fault("gestures", "false beside touches, in which the engine sees swipes and taps", found: "true")
                }
                return (name: name, gestures: gestures, touches: touches)
            }) { stage, front, caller in
                stage.desks.touches.introduced(caller.client, front.touches, on: stage)
                stage.clients.presence.introduced(caller.client, as: front.name, reportsGestures: front.gestures)
                stage.logger.debug("hello", metadata: ["client": "\(caller.client)", "name": "\((front.name ?? "").debugDescription)"])
                caller.answer(stage.desks.front.greeting(caller.client, on: stage))
            },
            .command("rpc.discover", .look, "This document.", result: "document", examples: [[String: String]()], read: { _ in () }) {
                stage, _, caller in
                if let id = caller.id { caller.reply(Reply.line(result: stage.document.get(), id: id)) }
            },
            .command("page.drew", .look, "A page tells how many frames it has drawn, so that `status` shows one that has stopped.", read: {
                (frames: try $0.integer("frames", in: 0...(1 << 53), about: "drawn since the page was loaded"),
                 screen: try $0.textIfPresent("screen", limit: 64, about: "the kiosk's name for the screen that it is on"),
                 word: try $0.textIfPresent("word", limit: 64, about: "the kiosk's for this screen; without it the page counts as on none"))
            }) { stage, drawn, caller in
                let screen = drawn.screen.flatMap { stage.desks.kiosk.knows($0, by: drawn.word) ? $0 : nil }
                stage.clients.presence.drew(caller.client, frames: drawn.frames, on: screen, at: monotonicNanoseconds())
                caller.answer(Receipt(frame: nil))
            },
            .command("kiosk.report", .act(by: .operator), "The kiosk tells how its screens are, once a second.", result: "orders",
                     examples: [Example.kioskOrders], read: {
                (report: try $0.nestedIfPresent(KioskReport.self, "report", expected: "a kiosk's report",
                                                about: "as `status` has it; left out by a kiosk that ends"),
                 words: try $0.nestedIfPresent([String: String].self, "words", expected: "a mapping of screens to words",
                                               about: "by screen: what its page says in page.drew"))
            }) { stage, parameters, caller in
                caller.answer(stage.desks.kiosk.take(parameters.report, words: parameters.words ?? [:], at: monotonicNanoseconds()))
            },
            .command("finger.claim", .act(by: .page), refuses: [.notOwner],
                     "A page keeps a finger on the touchscreen to itself: no swipe, no tap.", read: {
                (client: Client(number: try $0.integer("client", in: Int(Int32.min)...(-1), about: "the touchscreen, as in touches")),
                 finger: try $0.integer("id", in: 0...Int(Int32.max), about: "the finger's"))
            }) { stage, claimed, caller in stage.desks.touches.claim(claimed.finger, of: claimed.client, caller) },
            .query("status", to: .inspect, "How the engine is.", result: "status", Example.status) { $0.status() },
            .command("subscribe", .look, refuses: [.noRoom],
                     "From now on this client is told of these topics, and of no others.", result: "subscription",
                     examples: Example.subscriptions(pieces), read: { fields in
                let wanted = try fields.choicesIfPresent("topics", of: topics.names,
                                                         about: "all but meters, touches and config.outlook by default")
                let rate = try fields.numberIfPresent("rate", in: TopicTable.meterRates, unit: "Hz", about: "of the meters; 20 by default")
                return (topics: wanted.map { Set($0.map { Topic($0) }) }, rate: rate ?? TopicTable.usualMeterRate)
            }) { stage, wanted, caller in
                stage.desks.front.subscribe(caller, to: wanted.topics, usually: topics.usual, rate: wanted.rate, on: stage)
            },
        ]
    }

    private static let house: [Method] = [
        .command("preset.set", .act(by: .operator), refuses: [.notNow],
                 "The house's preset: how loud and how high it gets. It stays until the schedule changes.", read: {
            try $0.textIfPresent("name", about: "one of preset.list; without it the schedule decides again")
        }) {
            stage, name, caller in
            stage.choose(caller, { house throws(Fault) in try house.use(preset: name) }, then: { stage.answerWhenKept(.preset, $0) })
        },
        .command("volume.set", .act(by: .volume), refuses: [.tooFast],
                 "How far all sound is turned down, until it is set anew. The ceiling cuts peaks only.", read: {
            Decibels(try $0.number("level", in: ChosenVolume.levels, unit: "dB",
                                   about: "on top of the preset's volume and the hearing guard's; 0 turns nothing down"))
        }) { stage, level, caller in stage.turn(to: level, caller) },
        .query("preset.list", "The presets there are.", result: "presets", Example.names) { NameList(names: $0.house.venue.presets.keys) },
    ]

    private static let outputs: [Method] = [
        .query("device.list", to: .inspect, "Touchscreens and motors.", result: "devices", Example.devices) { $0.status().devices },
        .query("output.latency", "How long things take.", result: "latency", Example.latency) { $0.status().output.latency },
        .slowQuery("output.sinks", to: .inspect, refuses: [.unavailable],
                   "Where the sound server can play.", result: "sinks", Example.sinks, read: { _ in () }) {
            settings, _ throws(ErrorReply) in
            guard let server = settings.output.server else { return SinkList(sinks: []) }
            do {
                return SinkList(sinks: try PulseSurvey.sinks(server: server.server).map { sink in
                    SinkList.Sink(name: sink.name, description: sink.description, channels: sink.channels, channelNames: sink.channelNames,
                                  sampleRate: sink.rate, isDefault: sink.isDefault, isMuted: sink.isMuted, volume: sink.volume)
                })
            } catch {
                throw ErrorReply(.refused(.unavailable), "the sound server cannot be asked: \(error)")
            }
        },
    ]

    private static let tokens: [Method] = [
        .command("token.add", .act(by: .operator), refuses: [.notHere, .notKept],
                 "A token by which somebody may connect over HTTP. It is told this once.",
                 result: "token", examples: [Example.newToken], read: { fields in
            (name: try TokenName.read(fields),
             role: Role(rawValue: try fields.choice("role", of: Role.allCases.map(\.rawValue), about: "what they may do")) ?? .watch)
        }) { stage, wanted, caller in
            stage.desks.tokens.add(named: wanted.name, wanted.role, byAdministrator: stage.clients.isAdministrator(caller), caller)
        },
        .command("token.invite", .act(by: .operator), refuses: [.notHere, .notNow],
                 "A code by which one device comes in and gets a token of its own, once and within ten minutes.",
                 result: "invitation", examples: Example.invitations, read: { fields in
            (role: Role(rawValue: try fields.choice("role", of: Role.allCases.map(\.rawValue), about: "what they may do")) ?? .watch,
             name: try TokenName.readIfPresent(fields))
        }) { stage, wanted, caller in
            let by = stage.clients.presence.words(for: .connection(caller.client))
            stage.logger.notice("somebody lets a device in by a code", metadata: ["role": "\(wanted.role.rawValue)", "by": "\(by)"])
            stage.desks.tokens.invite(wanted.name, wanted.role, to: stage.settings.values.consoleAddress,
                                      byAdministrator: stage.clients.isAdministrator(caller), caller)
        },
        .command("token.claim", .look, refuses: [.notNow, .notKept], "Whoever came by an invitation's code gets a token, once.",
                 result: "token", examples: [Example.newToken], read: { _ in () }) { stage, _, caller in
            stage.desks.tokens.claim(by: stage.clients.identity(of: caller), caller)
        },
        .command("token.list", .act(by: .operator), refuses: [.notHere],
                 "Who has a token.", result: "tokens", examples: [Example.tokens], read: { _ in () }) {
            stage, _, caller in caller.answer(stage.desks.tokens.list)
        },
        .command("token.revoke", .act(by: .operator), refuses: [.notHere, .notKept, .notNow],
                 "A token is good no longer; who is connected by it is cut off.", read: {
            try TokenName.read($0)
        }) { stage, name, caller in stage.desks.tokens.revoke(named: name, caller) },
    ]

    private static let knobsAndCounters: [Method] = [
        .command("param.list", .look, "Every knob, and every counter that is not told in confidence, or of which the client may know.",
                 result: "parameters", examples: [KnobList(parameters: Example.knobs)], read: { _ in () }) { stage, _, caller in
            caller.answer(KnobList(parameters: stage.desks.queries.knobs(for: caller.client, on: stage)))
        },
        .command("param.get", .look, "A knob or a counter.", result: "parameter", examples: Example.knobs, read: {
            try $0.text("name", about: "of a knob or a counter")
        }) { stage, name, caller in
            caller.answer { () throws(ErrorReply) in try stage.desks.queries.knob(name, for: caller.client, on: stage) }
        },
    ]
}

/// A value that is computed at the first request, and reused. Requests that come meanwhile wait. Thread: any.
final class MadeOnce<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    func get() -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}
