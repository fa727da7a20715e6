import NIOCore
import Wire

/// One client's connection: lets the client in if there is room, and hands its input to a `Conversation`. Thread: its event loop.
final class ClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits
    /// The way by which the client has connected, which decides its role; nil for a user who may not connect at all.
    private let wayIn: WayIn?
    private let isLocal: Bool
    private let identity: Identity
    private var conversation: Conversation?
    private var slot: ClientList.Slot?
    /// Whether reading is paused because the inbox is full. It resumes when the inbox is half empty.
    private var isReadHeld = false

    init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits, as wayIn: WayIn?, isLocal: Bool, identity: Identity) {
        self.service = service
        self.clients = clients
        self.limits = limits
        self.wayIn = wayIn
        self.isLocal = isLocal
        self.identity = identity
    }

    /// Admits a connection at once if it was active before this handler was added, such as an upgraded HTTP connection.
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
        let slotKind = wayIn.slotKind(isLocal: isLocal)
        let full = clients.refusal(of: slotKind)
        if let slot = clients.admit(slotKind) {
            converse(at: slot, as: wayIn, nil, context)
        } else if [.controlSocket, .watchers].contains(slotKind) {
            let slot = clients.admitSpare(slotKind) { [channel = context.channel] in channel.close(promise: nil) }
            let restriction = ErrorReply(.refused(.noRoom), full + ": this one may only watch, and stop")
            converse(at: slot, as: .spare, restriction, context)
        } else {
            turnAway(ErrorReply(.refused(.noRoom), full), context)
        }
    }

    private func converse(at slot: ClientList.Slot, as wayIn: WayIn, _ restriction: ErrorReply?, _ context: ChannelHandlerContext) {
        self.slot = slot
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        conversation = Conversation(service, with: slot.client, as: wayIn, isLocal: isLocal, identity: identity, restriction: restriction,
                                    limits, on: context.channel, clients.scheduler.value) {
            let (handler, context) = handler.value
            handler.resume(context)
        }
    }

    /// Sends the reason and closes. Input is read and discarded for a second more: closing over unread input would lose the reason.
    private func turnAway(_ reason: ErrorReply, _ context: ChannelHandlerContext) {
        let line = Reply.line(error: reason)
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: line)), promise: nil)
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        conversation?.leave(.left)
        if let slot {
            service.closed(slot.client)
            clients.leave(slot)
        }
        (conversation, slot) = (nil, nil)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { conversation?.inputClosed() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { conversation?.take(unwrapInboundIn(data)) }

    /// Reads on, unless the client has sent more than may wait.
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
