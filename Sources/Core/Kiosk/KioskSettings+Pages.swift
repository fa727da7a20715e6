import Fields

extension KioskSettings {
    /// Pages that cannot be what a screen is to show, by their fields: those that are not there, and another piece's. `others` are the
    /// folders of the pieces that do not play; `folder` is the folder of pages, for people; `isThere` says whether it has such a page.
    public func pageFaults(others: [String], in folder: String, isThere: (String) -> Bool) -> [Fault] {
        screens.sorted { $0.key < $1.key }.compactMap { name, screen in
            let path = screen.page.prefix { $0 != "?" }.split(separator: "/").joined(separator: "/")
            // The server's own choice.
            guard !path.isEmpty else { return nil }
            let first = String(path.prefix { $0 != "/" })
            guard !others.contains(first) else {
                return Fault(field: "kiosk.screens.\(name).page", expected: "a page that speaks with the piece of the setting experience",
                             found: "\(first), which is another piece's")
            }
            guard !isThere(path) else { return nil }
            return Fault(field: "kiosk.screens.\(name).page", expected: "a page in \(folder), which is a folder with an index.html",
                         found: "none at \(path)")
        }
    }
}
