import FleetTool

// By either of these a visitor moves on, and neither tells who that is. What else there is, is sent where it is asked for.
FleetProgram.main(sending: ["feed.scroll", "swipe"])
