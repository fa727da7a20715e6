import AudioOutput
import Wire

extension LiveSettings {
    /// With the card's own rate, if the output is a card and no rate was set. A card that is missing or busy leaves the rate as it is.
    func withRateOfCard() -> LiveSettings {
        guard let card = output.card, !values.isGiven(\.rate),
              let own = AlsaOutput.rate(of: card.device, near: rate) else { return self }
        var settings = self
        settings.rate = own
        let name = values.table.catalog.rate.entry.name
        if let index = reports.firstIndex(where: { $0.key == name }) {
            settings.reports[index].value = "\(own.hertz)"
            settings.reports[index].unit = values.table.catalog.rate.entry.unit
            (settings.reports[index].source, settings.reports[index].place) = (.card, card.device)
        }
        return settings
    }
}
