import CPq

/// The reason why a database cannot be reached, or refuses a statement.
public struct DatabaseProblem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
    /// The five characters of SQLSTATE; nil where the server did not answer.
    public let state: String?

    /// Whether the server as a whole cannot write now, or does not answer. It may be read-only, short of a resource, or ending (classes 08,
    /// 25, 53, 57P and 58). Any other problem is about one statement and its values, and other statements may succeed.
    public var isOfServer: Bool { state.map { state in ["08", "25", "53", "57P", "58"].contains { state.hasPrefix($0) } } ?? true }

    init(_ message: UnsafePointer<CChar>?, state: UnsafePointer<CChar>? = nil) {
        let lines = message.map { String(cString: $0) }?.split(separator: "\n") ?? []
        description = lines.first.map(String.init) ?? "no answer"
        self.state = state.map { String(cString: $0) }
    }
}

/// A connection to PostgreSQL by libpq. Each call waits for its answer. A connection that has ended cannot be used again. Thread: one at a
/// time.
public final class DatabaseConnection {
    private let connection: OpaquePointer

    /// The settings of a connection, unless the address has others. With them, a server that has vanished is noticed within half a minute;
    /// libpq's own settings would wait for hours. Times are in seconds, except for TCP's, which is in milliseconds.
    private static let standards = ["connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
                                    "tcp_user_timeout": "20000"]

    /// Connects. `address` is a connection string or a URI of libpq (PostgreSQL's manual, "Connection Strings"). Throws `DatabaseProblem`.
    public init(_ address: String) throws(DatabaseProblem) {
        // What is later counts, and a database's name that is an address is taken apart.
        let settings = Self.standards.map { ($0.key, $0.value) } + [("dbname", address)]
        let (names, values) = (settings.map { Array($0.0.utf8CString) }, settings.map { Array($0.1.utf8CString) })
        let made = Self.withPointers(names) { names in
            Self.withPointers(values) { values in PQconnectdbParams(names + [nil], values + [nil], 1) }
        }
        guard let connection = made else { throw DatabaseProblem(nil) }
        self.connection = connection
        guard PQstatus(connection) == CONNECTION_OK else { throw DatabaseProblem(PQerrorMessage(connection)) }
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        // Each commit is on the disk before it is told, and a statement ends, whatever the server's settings say.
        try run("SET synchronous_commit = on")
        try run("SET statement_timeout = '60s'")
        try run("SET client_encoding = 'UTF8'")
    }

    deinit { PQfinish(connection) }

    /// Whether the connection was good after the last call.
    public var isOpen: Bool { PQstatus(connection) == CONNECTION_OK }

    /// Runs one statement, with `values` for $1, $2 and so on, and returns its rows. Throws `DatabaseProblem`.
    @discardableResult
    public func run(_ statement: String, _ values: [String?] = []) throws(DatabaseProblem) -> [[String?]] {
        let texts = values.map { $0.map { Array($0.utf8CString) } }
        let result = Self.withPointers(texts) { pointers in
            PQexecParams(connection, statement, Int32(values.count), nil, pointers, nil, nil, 0)
        }
        defer { PQclear(result) }
        try check(result, PGRES_COMMAND_OK, PGRES_TUPLES_OK)
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1 ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
            }
        }
    }

    private static func withPointers<Result>(_ texts: [[CChar]?], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        // One buffer holds them all, so that every pointer stays good while `body` runs.
        let bytes = texts.flatMap { $0 ?? [] }
        return bytes.withUnsafeBufferPointer { buffer in
            var index = 0
            return body(texts.map { text in
                guard let text else { return nil }
                defer { index += text.count }
                return buffer.baseAddress.map { $0 + index }
            })
        }
    }

    /// Copies rows into a table: `target` is its name with its columns. Throws `DatabaseProblem`.
    public func copy(_ rows: [[String?]], into target: String) throws(DatabaseProblem) {
        let begun = PQexec(connection, "COPY \(target) FROM STDIN")
        defer { PQclear(begun) }
        try check(begun, PGRES_COPY_IN)
        for row in rows {
            let line = CopyText.line(row)
            let sent = line.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { PQputCopyData(connection, $0.baseAddress, Int32($0.count)) }
            }
            guard sent == 1 else { throw DatabaseProblem(PQerrorMessage(connection)) }
        }
        guard PQputCopyEnd(connection, nil) == 1 else { throw DatabaseProblem(PQerrorMessage(connection)) }
        let ended = PQgetResult(connection)
        defer { PQclear(ended) }
        // The last result of a command is followed by none.
        while let further = PQgetResult(connection) { PQclear(further) }
        try check(ended, PGRES_COMMAND_OK)
    }

    private func check(_ result: OpaquePointer?, _ expected: ExecStatusType...) throws(DatabaseProblem) {
        guard !expected.contains(PQresultStatus(result)) else { return }
        guard let result else { throw DatabaseProblem(PQerrorMessage(connection)) }
        throw DatabaseProblem(PQresultErrorMessage(result), state: PQresultErrorField(result, Int32(UInt8(ascii: "C"))))
    }

    /// Runs `body` between BEGIN and COMMIT, and rolls back where `body` throws. When this returns, the transaction is committed. After a
    /// problem without a `state`, nobody knows whether it is. Throws `DatabaseProblem`.
    public func transaction<Value>(_ body: () throws(DatabaseProblem) -> Value) throws(DatabaseProblem) -> Value {
        try run("BEGIN")
        do throws(DatabaseProblem) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }
}

/// Writes rows in the text format of COPY (PostgreSQL's manual, "COPY", "Text Format").
enum CopyText {
    /// Returns a line with tabs between the values and a newline at the end. Nil is written as NULL.
    static func line(_ row: [String?]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in row.enumerated() {
            if index > 0 { line.append(UInt8(ascii: "\t")) }
            guard let value else {
                line += Array(#"\N"#.utf8)
                continue
            }
            for byte in value.utf8 {
                switch byte {
                case UInt8(ascii: "\\"): line += Array(#"\\"#.utf8)
                case UInt8(ascii: "\n"): line += Array(#"\n"#.utf8)
                case UInt8(ascii: "\r"): line += Array(#"\r"#.utf8)
                case UInt8(ascii: "\t"): line += Array(#"\t"#.utf8)
                default: line.append(byte)
                }
            }
        }
        return line + [UInt8(ascii: "\n")]
    }
}
