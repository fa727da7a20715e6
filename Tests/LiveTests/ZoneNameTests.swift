import Testing

@testable import Live

/// By the manual of tzset(3): a value of TZ is a path, a name of the database, or rules; an empty one is UTC.
@Suite struct ZoneNameTests {
    @Test(arguments: [
        (nil, "/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), (nil, "../usr/share/zoneinfo/Etc/UTC", "Etc/UTC"), (nil, nil, nil),
        (nil, "/etc/here", nil), ("", "/usr/share/zoneinfo/Europe/Berlin", "UTC"), ("UTC", nil, "UTC"),
        ("America/Argentina/Ushuaia", "/usr/share/zoneinfo/Europe/Berlin", "America/Argentina/Ushuaia"), (":Asia/Kolkata", nil, "Asia/Kolkata"),
        ("/usr/share/zoneinfo/Australia/Lord_Howe", nil, "Australia/Lord_Howe"), ("/etc/localtime", nil, nil),
        (nil, "/usr/share/zoneinfo/posix/Europe/Berlin", "Europe/Berlin"), (nil, "/usr/share/zoneinfo/right/Etc/UTC", "Etc/UTC"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "/usr/share/zoneinfo/Europe/Berlin", nil), ("EST5EDT", nil, nil),
    ] as [(String?, String?, String?)])
    func `a zone has the name that the variable or the link gives it`(variable: String?, link: String?, name: String?) {
        #expect(SystemTime.zoneName(variable: variable, link: link) == name)
    }
}
