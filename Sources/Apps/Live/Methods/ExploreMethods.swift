import Fields
import Signals
import Wire

/// The methods by which a page is explored by touch.
enum ExploreMethods {
    static let all: [Method] = [
        .command("explore.regions", .act(by: .page), "A page tells all its named regions, in place of those before; they go with it.",
                 result: "exploring", examples: [ExploreMode(on: true)], read: {
            try $0.nestedIfPresent(Regions.self, "regions", expected: "a list of regions", orList: true,
                                   about: "each with id, label, role, x, y, width and height; none without it") ?? Regions()
        }) { stage, regions, caller in stage.desks.explore.use(regions, caller, on: stage) },
        .command("explore.set", .act(by: .page), refuses: [.notNow, .tooFast], "Pages are explored by touch, or no longer.", read: {
            try $0.flag("on", about: "true: until the visit ends")
        }) { stage, on, caller in stage.desks.explore.turn(on, caller, on: stage) },
    ]
}
