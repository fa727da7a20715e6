extension Sight {
    /// A page that draws tells of it once a second, and is asked for once a second; in seconds.
    private static let frame = 4.0

    /// Why nothing new is seen on a screen, in words; nil where it draws, or is off. `failures` are what the last start of the compositor
    /// failed with, under nil, or of a screen's browser.
    public func obstacle(on screen: String, failures: [String?: String]) -> String? {
        guard areScreensOn else { return nil }
        func failed(_ words: String, _ part: String?) -> String { words + (failures[part].map { ": it cannot be started: \($0)" } ?? "") }
        switch compositor {
        case .gone: return failed("sway is not running", nil)
        case .starting: return "sway is not ready yet"
        case .ready: break
        }
        guard let browser = browsers[screen], browser.isRunning else {
            return hasDaemon ? failed("Chromium is not running", screen) : "thrumd does not answer thrum kiosk"
        }
        if browser.hasCrashedTab { return "its page has crashed" }
        if browser.unanswered > BrowserCare.Patience.answer / 2 { return "Chromium does not answer" }
        if browser.pageStatus == 0 { return "its page cannot be loaded from thrumd" }
        if let status = browser.pageStatus, status >= 400 {
            return "its page answers \(status)" + (status == 404 ? ": there is no such page" : "")
        }
        guard let drewAt = browser.drewAt else {
            return browser.pageStatus == nil ? "Chromium has not loaded its page yet" : "its page is loaded, and has drawn nothing"
        }
        return now - drewAt > Self.frame ? "its page has stopped drawing" : nil
    }
}
