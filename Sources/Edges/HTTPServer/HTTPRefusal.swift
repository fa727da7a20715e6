import NIOHTTP1

/// Why a request gets nothing, in words for people.
public struct HTTPRefusal: Error, Equatable {
    public var status: HTTPResponseStatus
    public var reason: String
    public var headers: HTTPHeaders

    public init(_ status: HTTPResponseStatus, _ reason: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}
