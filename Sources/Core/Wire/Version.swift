/// The version of all of Thrum.
public let version = "0.1.0"
