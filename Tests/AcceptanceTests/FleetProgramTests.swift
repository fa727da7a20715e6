import Foundation
import Testing
import TestSupport

@Suite struct FleetProgramTests {
    /// A journal as a made-up visitor leaves it, of a day of its own.
    private func journal(seed: Int, turns: Int, started: String) throws -> String {
        let simulated = try thrum("simulate", "--seed", "\(seed)", "--turns", "\(turns)", "--profile", "frantic", "-o", "-")
        #expect(simulated.status == 0, "\(simulated.errors)")
        return simulated.text.replacing(#""started":"simulated""#, with: #""started":"\#(started)""#).replacing(/,"sum":"[0-9a-f]{8}"/, with: "")
    }

    /// The numbers of the lines of `text` that are scrolls, found without Thrum's reader.
    private func scrolls(_ text: String) -> [Int] {
        text.split(separator: "\n").enumerated().filter { $0.element.contains(/"event":"(feed\.scroll|swipe)"/) }.map { $0.offset + 1 }
    }

    @Test func `each scroll of each journal is once in the table, with everything killed again and again`() async throws {
        let fleet = try await Fleet()
        var dice = Dice(41)
        var expected: Set<String> = []
        var days: Set<String> = []
        let rounds = 3
        for round in 0..<rounds {
            let first = dice.roll(4)
            for step in 0..<4 {
                let part = Fleet.Part.allCases[(first + step) % 4]
                let day = "2026-0\(round + 1)-1\(step)"
                days.insert(day)
                for (index, station) in fleet.stations.enumerated() {
                    let seed = expected.count
                    let text = try journal(seed: seed, turns: 700, started: "\(day)T1\(index):00:00Z")
                    let name = "\(day)T1\(index)-00-00Z"
                    expected.insert("\(station) \(name)/\(seed): " + scrolls(text).map(String.init).joined(separator: ","))
                    try fleet.put(text, as: name, at: station)
                }
                let station = dice.pick(fleet.stations)
                try await Task.sleep(for: .milliseconds(dice.roll(2_500)))
                fleet.kill(part, station)
                try await Task.sleep(for: .milliseconds(dice.roll(1_000)))
                try await fleet.restart(part, station)
            }
        }
        #expect(expected.count == rounds * 4 * 3 && expected.allSatisfy { $0.contains(",") })
        var found: Set<String>?
        for _ in 0..<120 where found != expected {
            try await Task.sleep(for: .milliseconds(500))
            found = try fleet.table()
        }
        let missing = expected.subtracting(found ?? []).count
        #expect(missing == 0 && found?.count == expected.count, "\(fleet.said)")

        // Each row has one day, so that the key with the day in it is the key without.
        #expect(try fleet.postgres.query("SELECT count(*) - count(DISTINCT (station, journal, line)) FROM thrum.event") == "0")
        #expect(try fleet.postgres.query("SELECT count(*) FROM thrum.event WHERE event = 'run.began'") == "\(expected.count)")
        #expect(try fleet.postgres.query("SELECT count(*) FROM thrum.event WHERE event = 'run.ended'") == "\(expected.count)")
        let partitions = try fleet.postgres.query("SELECT count(*) FROM pg_inherits WHERE inhparent = 'thrum.event'::regclass")
        #expect(partitions == "\(days.count)", "one a day")

        // Every position is where the journal ends, so nothing is sent any more.
        #expect(try await eventually {
            try fleet.stations.allSatisfy { station in
                let state = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: fleet.scratch.file("\(station).json")))) as? [String: Any]
                let journals = state?["journals"] as? [String: [String: Any]] ?? [:]
                return journals.count == rounds * 4 && journals.values.allSatisfy { $0["bytes"] != nil }
            }
        })
    }

    @Test func `two hubs write each scroll once, and one goes on alone`() async throws {
        let fleet = try await Fleet()
        try fleet.startSecondHub()
        var expected: Set<String> = []
        func visit(_ seed: Int) throws {
            let text = try journal(seed: seed, turns: 600, started: "2026-02-0\(seed + 1)T12:00:00Z")
            for station in fleet.stations {
                try fleet.put(text, as: "\(seed)", at: station)
                expected.insert("\(station) \(seed)/\(seed): " + scrolls(text).map(String.init).joined(separator: ","))
            }
        }
        for seed in 0..<3 { try visit(seed) }
        #expect(try await eventually { try fleet.table() == expected }, "\(fleet.said)")
        fleet.kill(.hub, "")
        try visit(3)
        #expect(try await eventually { try fleet.table() == expected }, "\(fleet.said)")
    }

    @Test func `a station is there by its birth, and gone by its farewell or its will`() async throws {
        let fleet = try await Fleet()
        func alive() throws -> String? { try fleet.postgres.query("SELECT string_agg(station, ' ' ORDER BY station) FROM thrum.station WHERE alive") }
        #expect(try await eventually { try alive() == "hall-1 hall-2 hall-3" }, "\(fleet.said)")
        let ended = await fleet.end("hall-1", by: SIGTERM)
        #expect(ended?.status == 0)
        #expect(try await eventually { try alive() == "hall-2 hall-3" })
        _ = await fleet.end("hall-2", by: SIGKILL)
        #expect(try await eventually { try alive() == "hall-3" })
        try await fleet.restart(.station, "hall-2")
        #expect(try await eventually { try alive() == "hall-2 hall-3" })
        #expect(try fleet.postgres.query("SELECT bd_seq FROM thrum.station WHERE station = 'hall-2'") == "2", "another connection than the one that died")
    }

    @Test func `a station reports its thrumd, and what is wrong is an alarm until it is over`() async throws {
        let daemon = try await Daemon(["--output", "null", "--devices", "no"])
        let fleet = try await Fleet(hub: ["--gone-after", "1"], station: ["--socket", daemon.socket])
        func reported(_ field: String) throws -> String? {
            try fleet.postgres.query("SELECT string_agg(DISTINCT \(field), ' ') FROM thrum.station HAVING count(*) = 3 AND count(reported_at) = 3")
        }
        let version = try #require(try daemon.status()["version"] as? String)
        #expect(try await eventually { try reported("reported->'daemon'->>'version'") == version }, "\(fleet.said)")
        #expect(try reported("reported->>'journals'") == "0" && reported("reported->'daemon'->>'plays'") == "false", "the null output is heard by nobody")
        func open(_ kind: String) throws -> String? {
            try fleet.postgres.query("SELECT string_agg(station, ' ' ORDER BY station) FROM thrum.alarm WHERE kind = '\(kind)' AND until IS NULL")
        }
        // A station asks every ten seconds.
        daemon.kill()
        #expect(try await eventually { try open("issue") == "hall-1 hall-2 hall-3" }, "\(fleet.said)")
        // By now each station has reported twice.
        #expect(try open("clock") == "")
        #expect(try await eventually { fleet.said.contains("alarm: hall-2: issue: thrumd: \(daemon.socket): Connection refused") }, "\(fleet.said)")
        _ = await fleet.end("hall-1", by: SIGKILL)
        #expect(try await eventually { try open("gone") == "hall-1" }, "\(fleet.said)")

        let printed = try run(Programs.thrumFleet, ["stations", "--database", fleet.postgres.address])
        #expect(printed.status == 0, "\(printed.errors)")
        let lines = printed.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("station  there  since") == true && lines.contains { $0.hasPrefix("hall-1   no ") }, "\(printed.text)")
        #expect(lines.contains { $0.hasPrefix("  gone since ") && $0.hasSuffix(": not connected") }, "\(printed.text)")
        let listed = try run(Programs.thrumFleet, ["stations", "--json", "--database", fleet.postgres.address])
        let list = try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]]
        #expect(list?.map { $0["alive"] as? Bool } == [false, true, true], "\(listed.text)")
        #expect((list?.first?["alarms"] as? [[String: String]])?.compactMap { $0["kind"] }.sorted() == ["gone", "issue"], "\(listed.text)")

        try await fleet.restart(.station, "hall-1")
        #expect(try await eventually { try open("gone") == "" }, "\(fleet.said)")
        #expect(fleet.said.contains("over: hall-1: gone"), "\(fleet.said)")
        #expect(try fleet.postgres.query("SELECT count(*) FROM thrum.alarm WHERE kind = 'gone' AND until >= since") == "1")
    }

    @Test func `a database that has lost its stations gets their states, reports and open alarms again`() async throws {
        let fleet = try await Fleet(station: ["--socket", "/nowhere/thrumd.sock"])
        func stations() throws -> String? {
            try fleet.postgres.query("SELECT string_agg(station, ' ' ORDER BY station) FROM thrum.station WHERE alive AND reported->>'problem' <> ''")
        }
        func open() throws -> String? {
            try fleet.postgres.query("SELECT string_agg(station, ' ' ORDER BY station) FROM thrum.alarm WHERE kind = 'issue' AND until IS NULL")
        }
        #expect(try await eventually { try stations() == "hall-1 hall-2 hall-3" && open() == "hall-1 hall-2 hall-3" }, "\(fleet.said)")
        #expect(try fleet.postgres.query("DELETE FROM thrum.station; DELETE FROM thrum.alarm") != nil)
        fleet.kill(.database, "")
        // The hub notices when it has something to write. The other stations report once a minute.
        try fleet.put(journal(seed: 1, turns: 30, started: "2026-05-01T12:00:00Z"), as: "a", at: "hall-1")
        #expect(try await eventually { fleet.said.contains("the database: ") }, "\(fleet.said)")
        try await fleet.restart(.database, "")
        #expect(try await eventually { try stations() == "hall-1 hall-2 hall-3" && open() == "hall-1 hall-2 hall-3" }, "\(fleet.said)")
    }

    @Test func `a day that is over is closed and has a root, and a journal that was changed since is named`() async throws {
        let fleet = try await Fleet()
        let (name, day) = ("2026-05-01T12-00-00Z", "2026-05-01")
        for station in fleet.stations { try fleet.put(journal(seed: 7, turns: 30, started: "2026-05-01T12:00:00Z"), as: name, at: station) }
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.closing") == "3" }, "\(fleet.said)")
        func prove(_ more: String...) throws -> Finished {
            try run(Programs.thrumFleet, ["prove", day, "hall-2", name, "--database", fleet.postgres.address] + more)
        }
        let early = try prove()
        #expect(early.status == 1 && early.errors.contains("whose root is made when that day is over in UTC"), "\(early.errors)")
        // As if they had come a day before. A hub makes roots once a minute, and at its start.
        _ = try fleet.postgres.query("UPDATE thrum.closing SET arrived = arrived - 1")
        fleet.kill(.hub, "")
        try await fleet.restart(.hub, "")
        #expect(try await eventually { try fleet.postgres.query("SELECT closings FROM thrum.root") == "3" }, "\(fleet.said)")
        let root = try #require(try fleet.postgres.query("SELECT day || '=' || root FROM thrum.root"))
        let good = try prove("--journal", fleet.scratch.file("hall-2/\(name).jsonl"), "--root", root)
        #expect(good.status == 0 && good.text.contains("is the journal that was closed"), "\(good.text)\(good.errors)")
        let text = try String(contentsOfFile: fleet.scratch.file("hall-2/\(name).jsonl"), encoding: .utf8)
        let copy = try fleet.scratch.write(text.replacing("began", with: "Began"), to: "copy.jsonl")
        let bad = try prove("--journal", copy)
        #expect(bad.status == 1 && bad.errors.contains("\(name)/7 was changed after its closing"), "\(bad.text)\(bad.errors)")
    }

    @Test func `a station whose retained topics are cleared is out of service, and that is no fault`() async throws {
        let fleet = try await Fleet()
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.station WHERE reported IS NOT NULL") == "3" }, "\(fleet.said)")
        _ = await fleet.end("hall-1", by: SIGTERM)
        #expect(try await eventually { fleet.said.contains("hall-1 is gone") }, "\(fleet.said)")
        for topic in ["state", "reported"] { try fleet.clear("thrum/v1/hall-1/\(topic)") }
        // The broker keeps the order of these.
        try fleet.publish("{}", to: "thrum/v1/hall-1/reported")
        #expect(try await eventually { fleet.said.contains("thrum/v1/hall-1/reported: at: ") }, "\(fleet.said)")
        #expect(!fleet.said.contains("thrum/v1/hall-1/state: ") && fleet.said.components(separatedBy: "hall-1/reported: ").count == 2, "\(fleet.said)")
    }

    @Test func `what a station cannot have said is refused, and the others' reports are kept`() async throws {
        let fleet = try await Fleet()
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.station WHERE reported->>'rows' = '0'") == "3" }, "\(fleet.said)")
        try fleet.publish(#"{"at":1767268800000000,"journals":0,"rows":-1}"#, to: "thrum/v1/hall-2/reported")
        #expect(try await eventually { fleet.said.contains("thrum/v1/hall-2/reported: rows: expected ") }, "\(fleet.said)")
        #expect(try fleet.postgres.query("SELECT count(*) FROM thrum.station WHERE reported->>'rows' = '0'") == "3")
        // A clock that is years behind, twice in a row.
        for journals in [1, 2] { try fleet.publish(#"{"at":1767268800000000,"journals":\#(journals),"rows":0}"#, to: "thrum/v1/hall-2/reported") }
        #expect(try await eventually { try fleet.postgres.query("SELECT station FROM thrum.alarm WHERE kind = 'clock' AND text LIKE '% s behind'") == "hall-2" }, "\(fleet.said)")
    }

    @Test func `over TLS only a station with a certificate of the house comes in, and only as itself`() async throws {
        let scratch = try Scratch()
        try makeCertificates(scratch)
        let files = "cafile \(scratch.file("ca.pem"))\ncertfile \(scratch.file("broker.pem"))\nkeyfile \(scratch.file("broker.key"))"
        let rights = try scratch.write("pattern read thrum/v1/hub\npattern readwrite thrum/v1/%u/#\n\nuser hub\ntopic readwrite thrum/v1/#\n", to: "rights")
        let mosquitto = try await PrivateMosquitto(
            settings: "\(files)\nrequire_certificate true\nuse_identity_as_username true\nacl_file \(rights)", in: scratch)
        let postgres = try await PrivatePostgres()
        func station(_ name: String, as identity: String?, trusting ca: String = "ca.pem") throws -> Running {
            let identity = identity.map { ["--certificate", scratch.file("\($0).pem"), "--key", scratch.file("\($0).key")] } ?? []
            return try Running(Programs.thrumFleet, ["station", "--name", name, "--broker", "mqtts://127.0.0.1:\(mosquitto.port)", "--ca", scratch.file(ca),
                                                     "--socket", "none", "--sessions", scratch.file("none"), "--state", scratch.file("\(name).json")] + identity)
        }
        let good = try station("hall-1", as: "hall-1")
        let watcher = try Running("mosquitto_sub", ["-h", "127.0.0.1", "-p", "\(mosquitto.port)", "--cafile", scratch.file("ca.pem"), "--cert", scratch.file("hall-1.pem"),
                                                    "--key", scratch.file("hall-1.key"), "-t", "thrum/v1/hall-1/state", "-t", "thrum/v1/hub", "-F", "%t %p", "-V", "5"])
        #expect(try await eventually { watcher.output.contains(#"{"alive":true,"bdSeq":1"#) }, "\(good.errors)\(watcher.errors)")
        let hub = try Running(Programs.thrumFleet, ["hub", "--database", postgres.address, "--broker", "mqtts://127.0.0.1:\(mosquitto.port)", "--ca", scratch.file("ca.pem"),
                                                    "--certificate", scratch.file("hub.pem"), "--key", scratch.file("hub.key")])
        // With the certificate of another station nobody hears it.
        let liar = try station("hall-9", as: "hall-1")
        #expect(try await eventually { mosquitto.log.contains("Denied PUBLISH from thrum-station-hall-9") }, "\(liar.errors)")
        let nameless = try station("hall-2", as: nil)
        #expect(try await eventually { mosquitto.log.contains("peer did not return a certificate") }, "\(nameless.errors)")
        // A broker that another authority has signed is not talked to.
        let wary = try station("hall-3", as: "hall-1", trusting: "stranger.pem")
        #expect(try await eventually { wary.errors.contains("the broker: ") && mosquitto.log.contains("alert unknown ca") }, "\(wary.errors)")
        #expect(try await eventually { try postgres.query("SELECT string_agg(station, ' ') FROM thrum.station") == "hall-1" }, "\(hub.errors)")
        #expect(try await eventually { watcher.output.contains("hub {}") }, "stations may read what the hub says: \(watcher.output)")
    }

    @Test func `rows that the database refuses stop their own station alone`() async throws {
        let fleet = try await Fleet()
        #expect(try await eventually { try fleet.postgres.query("SELECT count(*) FROM thrum.station WHERE alive") == "3" }, "\(fleet.said)")
        // A house's own trigger, with an error that is of no class of the data's.
        let trigger = try fleet.postgres.query("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF new.event = 'poison' THEN RAISE EXCEPTION 'no poison here'; END IF; RETURN new; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON thrum.event FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
        #expect(trigger != nil)
        let row = #"{"line":1,"frame":0,"at":0,"event":"poison","fields":{}}"#
        let poison = #"{"bdSeq":1,"batch":1,"parts":[{"journal":"p","after":0,"through":1,"rows":[\#(row)]}]}"#
        var expected: Set<String> = []
        for seed in 0..<3 {
            let text = try journal(seed: seed, turns: 300, started: "2026-03-0\(seed + 1)T12:00:00Z")
            for station in fleet.stations {
                try fleet.put(text, as: "\(seed)", at: station)
                expected.insert("\(station) \(seed)/\(seed): " + scrolls(text).map(String.init).joined(separator: ","))
            }
            for _ in 0..<5 { try fleet.publish(poison, to: "thrum/v1/hall-9/rows") }
        }
        #expect(try await eventually { try fleet.table() == expected }, "\(fleet.said)")
        #expect(try await eventually { fleet.said.contains("rows of hall-9, p: ERROR:  no poison here") }, "\(fleet.said)")
        #expect(!fleet.said.contains("the database: "), "it is no reason to give up the connection")
        #expect(try fleet.postgres.query("SELECT count(*) FROM thrum.event WHERE station = 'hall-9'") == "0")
    }

    @Test func `a database whose encoding is not UTF8 is refused, and the hub says so`() async throws {
        let (scratch, postgres) = (try Scratch(), try await PrivatePostgres())
        #expect(try postgres.query("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0") != nil)
        let mosquitto = try await PrivateMosquitto(in: scratch)
        let address = postgres.address.replacing("dbname=postgres", with: "dbname=latin")
        let hub = try Running(Programs.thrumFleet, ["hub", "--database", address, "--broker", "mqtt://127.0.0.1:\(mosquitto.port)"])
        #expect(try await eventually { hub.errors.contains("the database: encoding: expected UTF8, found LATIN1") }, "\(hub.errors)")
    }

    @Test func `a broker that takes small messages only gets small ones`() async throws {
        let fleet = try await Fleet(broker: "allow_anonymous true\nmax_packet_size 4000")
        let text = try journal(seed: 3, turns: 300, started: "2026-04-01T12:00:00Z")
        try fleet.put(text, as: "a", at: "hall-1")
        let expected = "hall-1 a/3: " + scrolls(text).map(String.init).joined(separator: ",")
        #expect(try await eventually { try fleet.table() == [expected] }, "\(fleet.said)")
    }

    /// By OpenSSL's program: an authority with certificates for the broker and for a station, and another authority.
    private func makeCertificates(_ scratch: Scratch) throws {
        func openssl(_ words: String...) throws {
            let finished = try run("openssl", words)
            #expect(finished.status == 0, "\(finished.errors)")
        }
        for authority in ["ca", "stranger"] {
            try openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(authority)", "-keyout", scratch.file("\(authority).key"),
                        "-out", scratch.file("\(authority).pem"))
        }
        let names = try scratch.write("subjectAltName=IP:127.0.0.1", to: "names")
        for name in ["broker", "hub", "hall-1"] {
            try openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)", "-keyout", scratch.file("\(name).key"), "-out", scratch.file("\(name).csr"))
            try openssl("x509", "-req", "-in", scratch.file("\(name).csr"), "-CA", scratch.file("ca.pem"), "-CAkey", scratch.file("ca.key"), "-CAcreateserial",
                        "-days", "2", "-extfile", names, "-out", scratch.file("\(name).pem"))
        }
    }
}
