import Experience

extension ColorScroller {
    /// What texts of answers and announcements hold.
    static let texts: [String: TextMeaning] = [
        "color": "sRGB, as in #1e8fff",
        "colors": "sRGB, as in #1e8fff",
        "id": "of a skin, as in azure",
        "name": "of a skin, as in Azure",
        "palette.rare": "id of the rare that the palette was thrown in with; palette where there was nothing left to throw in",
        "palette.seed": "of the palette, in hexadecimal",
        "palettes.rare": "as in the topic palette",
        "palettes.seed": "as in the topic palette",
        "passed": "name of the best rival behind; left out where nobody is",
        "rival": "name of the rival whom the visitor is taunted with",
        "rows.name": "of a rival, or of the visitor",
        "snapshot.rare": "as in the topic palette",
        "symbol": "what is scattered on the skin: a character, or an emoji",
        "taunt": "in English; a page can make its own of rival and standing",
    ]
}
