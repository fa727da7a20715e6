// A level on a scale of decibels, and the highest one of the last moments.

const floor = -60, holdsFor = 1500, fallsBy = 24 // dBFS, milliseconds, dB a second

/** Where a level is on the scale, 0 at −60 dBFS and 1 at 0. */
export const placeOf = level => Math.min(1, Math.max(0, 1 - level / floor))

/** Holds the highest level for 1.5 s, and falls by 24 dB a second then. */
export class PeakHold {
    #level = -Infinity
    #since = 0

    /** The level that is held at `now`, in milliseconds, when `level` is measured. */
    hold(level, now) {
        const held = this.at(now)
        if (level >= held) {
            this.#level = level
            this.#since = now
        }
        return Math.max(level, held)
    }

    at(now) { return this.#level - Math.max(0, now - this.#since - holdsFor) / 1000 * fallsBy }
}

/** A figure to a tenth, with a minus sign for a hyphen. */
export const tenths = (words, value) => words.number.format(Math.round(value * 10) / 10).replace("-", "−")

/** The values of words, with each negative number so. Others stay numbers, because words go by how many there are. */
export const inFigures = (words, values) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value < 0 ? tenths(words, value) : value]))

const names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]

/** The nearest note of equal temperament with A4 at 440 Hz, and by how many cents the frequency is above it; null for no frequency. */
export function noteOf(frequency) {
    if (!(frequency > 0)) return null
    const exact = 69 + 12 * Math.log2(frequency / 440)
    const number = Math.round(exact)
    return { name: `${names[((number % 12) + 12) % 12]}${Math.floor(number / 12) - 1}`, cents: Math.round((exact - number) * 100) }
}
