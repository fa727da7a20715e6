import NIOCore
import Wire

/// One client's connection: lets it in, if there is room, and hands on what comes. Thread: its event loop.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits
    /// How the client came in; nil for one that may not even look on.
    private let wayIn: WayIn?
    private let isLocal: Bool
    private let identity: Identity
    private var conversation: Conversation?
    private var place: ClientList.Place?
    /// Whether reading is paused because the inbox is full; it goes on when that is worked off.
    private var isReadHeld = false

    init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits, as wayIn: WayIn?, isLocal: Bool, identity: Identity) {
        self.service = service
        self.clients = clients
        self.limits = limits
        self.wayIn = wayIn
        self.isLocal = isLocal
        self.identity = identity
    }

    /// Admits at once a connection that was active before, such as an upgraded HTTP connection.
    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { admit(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        admit(context)
        context.fireChannelActive()
    }

    private func admit(_ context: ChannelHandlerContext) {
        guard let wayIn else {
            return turnAway(ErrorReply(.refused(.notAllowed), "this user is not among users or watchers of the settings"), context)
        }
        let places = wayIn.places(isLocal: isLocal)
        let full = clients.refusal(of: places)
        if let place = clients.admit(places) {
            converse(at: place, as: wayIn, nil, context)
        } else if [.controlSocket, .watchers].contains(places) {
            let place = clients.admitSpare(places) { [channel = context.channel] in channel.close(promise: nil) }
            let restriction = ErrorReply(.refused(.noRoom), full + ": this one may only watch, and stop")
            converse(at: place, as: .spare, restriction, context)
        } else {
            turnAway(ErrorReply(.refused(.noRoom), full), context)
        }
    }

    private func converse(at place: ClientList.Place, as wayIn: WayIn, _ restriction: ErrorReply?, _ context: ChannelHandlerContext) {
        self.place = place
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        conversation = Conversation(service, with: place.client, as: wayIn, isLocal: isLocal, identity: identity, restriction: restriction,
                                    limits, on: context.channel, clients.scheduler.value) {
            let (handler, context) = handler.value
            handler.resume(context)
        }
    }

    /// Says why, and closes. Input is read and forgotten for a second more: a connection that is closed over unread input loses the reason.
    private func turnAway(_ reason: ErrorReply, _ context: ChannelHandlerContext) {
        let line = Reply.line(error: reason)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: line)), promise: nil)
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        conversation?.leave(.left)
        if let place {
            service.closed(place.client)
            clients.leave(place)
        }
        (conversation, place) = (nil, nil)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { conversation?.inputClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { conversation?.take(unwrapInboundIn(data)) }

    /// Reads no further while the client has sent more than its share.
    func read(context: ChannelHandlerContext) {
        isReadHeld = conversation?.isFull == true
        if !isReadHeld { context.read() }
    }

    private func resume(_ context: ChannelHandlerContext) {
        guard isReadHeld, conversation != nil else { return }
        isReadHeld = false
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        conversation?.writabilityChanged()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
