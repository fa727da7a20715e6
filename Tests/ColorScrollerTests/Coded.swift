import Foundation

/// There and back through JSON.
enum Coded {
    static func bytes(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }
    static func read<Value: Decodable>(_ type: Value.Type, _ bytes: Data) throws -> Value { try JSONDecoder().decode(type, from: bytes) }
}
