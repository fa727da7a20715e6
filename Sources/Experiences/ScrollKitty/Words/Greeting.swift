import Experience

/// The words with which the cat greets somebody who enters its household. They say how well it is.
enum Greeting {
    static let group = "greeting"

    /// Returns the greeting of a cat whose health is in `band`, in both languages.
    static func words(_ band: Band) -> Words {
        switch band {
        case .full:
            Words(en: "There you are. I'm wide awake, all ears and whiskers. 🐱",
                  de: "Da bist du ja. Ich bin hellwach, ganz Ohr und Schnurrhaar. 🐱")
        case .eighty:
            Words(en: "There you are. I'm well, one ear turned to the door. 🐾",
                  de: "Da bist du ja. Mir geht es gut, ein Ohr ist zur Tür gedreht. 🐾")
        case .sixty:
            Words(en: "There you are. I'm a little tired, and glad of the company. 😺",
                  de: "Da bist du ja. Ich bin ein wenig müde, und froh über Gesellschaft. 😺")
        case .forty:
            Words(en: "There you are. I'm low today, and lie where it is warm. 🌙",
                  de: "Da bist du ja. Heute bin ich matt und liege, wo es warm ist. 🌙")
        case .twenty:
            Words(en: "There you are. I'm very faint, and I heard you come. 🕯️",
                  de: "Da bist du ja. Ich bin sehr schwach, und ich habe dich gehört. 🕯️")
        case .ten:
            Words(en: "There you are. Hardly a purr today, and a soft blanket. 💛",
                  de: "Da bist du ja. Kaum ein Schnurren heute, und eine weiche Decke. 💛")
        case .zero:
            Words(en: "I sleep until morning. Then all is well again. 🌙",
                  de: "Ich schlafe bis zum Morgen. Dann ist alles wieder gut. 🌙")
        }
    }
}

extension KittySays {
    /// Makes the greeting of `cat`, which says how well it is.
    init(greeting cat: Cat) {
        let band = Band(cat.health.total)
        self.init(id: "\(Greeting.group)-\(band.rawValue)", group: Greeting.group, text: Greeting.words(band))
    }
}
