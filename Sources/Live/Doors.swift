import ControlSocket
import Logging
import NIOCore

/// All ways in for front ends: the control socket, and what else the settings ask for.
struct Doors: Sendable {
    private let webSocket: WebSocketServer?
    private let osc: OSCServer?
    private let oscSocket: OSCSocketServer?
    private let socket: ControlServer

    /// Opens the control socket last: whoever gets in there finds the others open. Throws `ControlSocketError`; then all are closed.
    static func open(_ settings: LiveSettings, on loop: any EventLoop, service: some ControlService) async throws -> Doors {
        let clients = ClientList(limit: settings.limits.clients)
        var webSocket: WebSocketServer?
        var osc: OSCServer?
        var oscSocket: OSCSocketServer?
        do {
            if let wanted = settings.webSocket {
                webSocket = try await WebSocketServer.listen(port: wanted.port, access: wanted.access, limits: settings.limits, loop: loop,
                                                             service: service, clients: clients)
            }
            if let wanted = settings.osc {
                osc = try await OSCServer.listen(address: wanted.address, port: wanted.port, limits: settings.limits, loop: loop,
                                                 service: service, clients: clients)
            }
            if let path = settings.oscSocket {
                oscSocket = try await OSCSocketServer.listen(on: path, limits: settings.limits, loop: loop, service: service,
                                                             clients: clients)
            }
            let socket = try await ControlServer.listen(on: settings.socket, access: settings.access, limits: settings.limits,
                                                        loop: loop, service: service, clients: clients)
            return Doors(webSocket: webSocket, osc: osc, oscSocket: oscSocket, socket: socket)
        } catch {
            await oscSocket?.close()
            await osc?.close()
            await webSocket?.close()
            throw error
        }
    }

    func close() async {
        await socket.close()
        await webSocket?.close()
        await osc?.close()
        await oscSocket?.close()
    }

    func log(_ settings: LiveSettings, to logger: Logger) {
        logger.info("listening", metadata: ["socket": "\(settings.socket)", "output": "\(settings.output.kind)"])
        if let webSocket { logger.info("listening to browsers", metadata: ["address": "ws://127.0.0.1:\(webSocket.port)/"]) }
        if let osc = settings.osc { logger.info("listening to OSC", metadata: ["address": "\(osc.address):\(osc.port)/udp"]) }
        if let path = settings.oscSocket { logger.info("listening to OSC", metadata: ["address": "\(path)"]) }
    }
}
