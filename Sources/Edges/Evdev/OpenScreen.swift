/// A touchscreen in use: its file, how it is read, and whether anything of it is heard.
struct OpenScreen: Sendable {
    let name: String
    let device: DeviceNode
    let rule: TouchRule
    /// Places that the sensor tells apart.
    let resolution: (width: Int, height: Int)
    let screen: TouchScreen
    /// Another program has grabbed it.
    var isDeaf: Bool

    /// For the log, after its name.
    static let deafness = "is grabbed by another program: nothing of it will be heard"

    /// Has it to itself, or shares it. Thread: the queue that looks for devices.
    mutating func grab(_ isWanted: Bool) {
        if isWanted || rule.isGrabbed {
            isDeaf = !device.grab()
        } else {
            device.release()
            isDeaf = false
        }
    }

    func report(number: Int, node: String) -> Devices.Report.Screen {
        let isUpright = rule.turn == .none || rule.turn == .half
        return Devices.Report.Screen(number: number, name: name, node: node, drops: screen.drops, turn: rule.turn,
                                     width: isUpright ? resolution.width : resolution.height,
                                     height: isUpright ? resolution.height : resolution.width, isDeaf: isDeaf)
    }
}
