import Experience
import Fields

// What the shops have, read strictly.

extension Food: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "species", "title", "energy", "effect", "cat", "dog"])
        func override(_ name: String) throws -> Override? {
            fields.contains(name) ? try fields.nested(Override.self, name, expected: "an object") : nil
        }
        self.init(id: try fields.itemID("id"), species: try fields.choice("species"), title: try fields.title(),
                  energy: try fields.integer("energy", in: Unhooked.Configuration.prices, unit: "Energy"),
                  effect: try fields.nested(Effect.self, "effect", expected: "an object"),
                  cat: try override("cat"), dog: try override("dog"))
    }
}

private let points = 0...100
private let buffs = 0.0...1

extension Food.Effect: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["fullness", "mood", "buff", "animation"])
        self.init(fullness: try fields.integer("fullness", in: points), mood: try fields.integer("mood", in: points),
                  buff: try fields.number("buff", in: buffs), animation: try fields.itemID("animation"))
    }
}

extension Food.Override: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["fullness", "mood", "buff", "animation"])
        self.init(fullness: try fields.integerIfPresent("fullness", in: points), mood: try fields.integerIfPresent("mood", in: points),
                  buff: try fields.numberIfPresent("buff", in: buffs),
                  animation: fields.contains("animation") ? try fields.itemID("animation") : nil)
    }
}

extension Cosmetic: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "category", "title", "price", "season", "isForSale"])
        self.init(id: try fields.itemID("id"), category: try fields.choice("category"), title: try fields.title(),
                  price: try fields.nested(Price.self, "price", expected: "an object"),
                  season: fields.contains("season") ? try fields.itemID("season") : nil, isForSale: try fields.flag("isForSale"))
    }
}

extension Cosmetic.Price: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["energy", "gems"])
        let most = 0...Unhooked.Configuration.prices.upperBound
        self.init(energy: try fields.integer("energy", in: most, unit: "Energy"), gems: try fields.integer("gems", in: most, unit: "Gems"))
        guard energy > 0 || gems > 0 else { throw fields.fault("gems", "1 or more, because it costs no Energy", found: "0") }
    }
}

extension Season: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "title", "from", "until"])
        func date(_ name: String) throws -> String {
            let text = try fields.text(name, limit: 5)
            let isDate = text.wholeMatch(of: /02-(?:0[1-9]|[12]\d)|(?:0[13-9]|1[0-2])-(?:0[1-9]|[12]\d|30)|(?:0[13578]|1[02])-31/)
            guard isDate != nil else { throw fields.fault(name, "a day of the year, as in 12-24", found: "\"\(text)\"") }
            return text
        }
        self.init(id: try fields.itemID("id"), title: try fields.title(), from: try date("from"), until: try date("until"))
    }
}

extension Fields {
    fileprivate func title() throws -> Words { try nested(Title.self, "title", expected: "an object with en and de").words }
}

/// Words of a shop: both languages, on one line each.
private struct Title: DocumentPart {
    var words: Words

    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["en", "de"])
        func text(_ name: String) throws -> String {
            let text = try fields.text(name, limit: 60)
            return try Fields.plainName(text, in: fields.path(of: name))
        }
        words = Words(en: try text("en"), de: try text("de"))
    }
}
