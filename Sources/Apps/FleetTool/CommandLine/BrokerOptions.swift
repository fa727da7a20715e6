import ArgumentParser
import Broker
import Fields
import SystemPackage

/// The options that name the broker, and the certificates for the connection to it.
struct BrokerOptions: ParsableArguments {
    @Option(help: "The broker: mqtt://HOST, or mqtts://HOST with certificates.")
    var broker: String

    @Option(help: ArgumentHelp("The authorities that sign brokers. (default: those of the system)", valueName: "file.pem"))
    var ca: String?

    @Option(help: ArgumentHelp("This machine's certificate.", valueName: "file.pem"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's private key.", valueName: "file.pem"))
    var key: String?

    func validate() throws { _ = try address }

    /// The broker's address with its certificates. Throws `ValidationError` for a wrong address, or a certificate without its key.
    var address: BrokerAddress {
        get throws {
            guard (certificate == nil) == (key == nil) else { throw ValidationError("--certificate: expected together with --key") }
            let identity = certificate.map { BrokerAddress.Identity(certificate: FilePath($0), key: FilePath(key ?? "")) }
            do {
                return try BrokerAddress(broker, BrokerAddress.Security(authorities: ca.map { FilePath($0) }, identity: identity))
            } catch {
                throw ValidationError("--broker: \(Fault(field: "", expected: error.expected, found: error.found))")
            }
        }
    }
}
