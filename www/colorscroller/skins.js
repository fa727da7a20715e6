// What cards look like: each skin's kind as docs/colorscroller.md has it, painted edge to edge. `context` is a canvas's, on the page or in
// a worker.

import { fromHex, inkOn, luminance, mix, seenOn, toHex } from "./colors.js"
import { dice, scatter } from "./scatter.js"
import { shapes } from "./shapes.js"

const stops = 24 // between two colours of a gradient

/** What lies under everything, and is there before a card is painted. */
export function baseColor(card) {
    if (card.face === "leaderboard") return "#09090c"
    return card.face === "gray" ? card.color : card.skin.colors[0]
}

/** Whether it is more than its base colour. */
export const hasPicture = card => card.face === "skin" && card.skin.kind !== "solid"

/** The colour of words at the bottom of a card, the card's colour there, and whether the words need a ground of their own. */
export function inkOf(card) {
    const base = baseColor(card)
    if (card.face !== "skin" || card.skin.kind === "solid") return { color: inkOn(fromHex(base)), ground: base, hasGround: false }
    const { kind, colors, angle } = card.skin
    if (kind !== "gradient") return { color: "#ffffff", ground: base, hasGround: true }
    // Words stand at the bottom in the middle: there a gradient is halfway along, or nearer to its beginning the steeper it is.
    const part = 0.5 - 0.4 * Math.sin(angle * Math.PI / 180)
    const place = part * (colors.length - 1)
    const first = Math.min(colors.length - 2, Math.floor(place))
    const under = mix(fromHex(colors[first]), fromHex(colors[first + 1]), place - first)
    const contrast = Math.max((luminance(under) + 0.05) / 0.05, 1.05 / (luminance(under) + 0.05))
    return { color: contrast < 6 ? "#ffffff" : inkOn(under), ground: toHex(under), hasGround: contrast < 6 }
}

export function paint(context, width, height, card) {
    context.fillStyle = baseColor(card)
    context.fillRect(0, 0, width, height)
    if (hasPicture(card)) painters[card.skin.kind](context, width, height, card.skin)
}

/** The inks of a pattern, each such that it is seen on its ground, the first colour. */
export const inksOf = ([ground, ...inks]) => inks.map(ink => toHex(seenOn(fromHex(ground), fromHex(ink))))

const painters = { gradient, stripes, dots, symbols, emoji }

/** Half of the way across a rectangle along `angle`, as a vector. */
function halfway(width, height, angle) {
    const [x, y] = [Math.cos(angle * Math.PI / 180), -Math.sin(angle * Math.PI / 180)]
    const length = (Math.abs(width * x) + Math.abs(height * y)) / 2
    return { x, y, length }
}

function gradient(context, width, height, { colors, angle }) {
    const { x, y, length } = halfway(width, height, angle)
    const [cx, cy] = [width / 2, height / 2]
    const line = context.createLinearGradient(cx - x * length, cy - y * length, cx + x * length, cy + y * length)
    const parts = colors.map(fromHex)
    const pieces = parts.length - 1
    for (let piece = 0; piece < pieces; piece++) {
        for (let stop = 0; stop <= stops; stop++) {
            const part = stop / stops
            // Where a gradient has more than two colours it goes easy at those between, or they would show as edges.
            const eased = pieces > 1 ? 0.4 * part + 0.6 * part * part * (3 - 2 * part) : part
            line.addColorStop((piece + part) / pieces, toHex(mix(parts[piece], parts[piece + 1], eased)))
        }
    }
    context.fillStyle = line
    context.fillRect(0, 0, width, height)
    grain(context, width, height)
}

/** A breath of noise, so that a wide gradient has no bands. */
function grain(context, width, height) {
    const size = 128
    const tile = new OffscreenCanvas(size, size)
    const pixels = new ImageData(size, size)
    const random = dice("grain")
    for (let place = 0; place < pixels.data.length; place += 4) {
        pixels.data.fill(random() < 0.5 ? 0 : 255, place, place + 3)
        pixels.data[place + 3] = 6 * random()
    }
    tile.getContext("2d").putImageData(pixels, 0, 0)
    context.fillStyle = context.createPattern(tile, "repeat")
    context.fillRect(0, 0, width, height)
}

/** Ten bars across the shorter side, as wide as one another. */
function stripes(context, width, height, { colors, angle }) {
    const bar = Math.min(width, height) / 10
    const bars = [colors[0], ...inksOf(colors)]
    const { length } = halfway(width, height, angle)
    const reach = Math.hypot(width, height) / 2
    context.save()
    context.translate(width / 2, height / 2)
    context.rotate(-angle * Math.PI / 180)
    const count = Math.ceil(2 * length / bar)
    for (let n = 0; n < count; n++) {
        context.fillStyle = bars[n % bars.length]
        // A hair wider, so that nothing shines through between two.
        context.fillRect(-length + n * bar, -reach, bar + 0.5, 2 * reach)
    }
    context.restore()
}

/** Nine across, each row shifted by a half. */
function dots(context, width, height, { colors }) {
    const across = Math.min(width, height) / 9
    const row = across * Math.sqrt(3) / 2
    const rows = Math.ceil(height / row) + 1
    const columns = Math.ceil(width / across) + 2
    // Centred, so that both edges are cut alike.
    const left = (width - (columns - 1) * across) / 2, top = (height - (rows - 1) * row) / 2
    const inks = inksOf(colors)
    for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
            // Neighbours differ: one colour on from dot to dot, two from row to row.
            context.fillStyle = inks[(c + 2 * r + (r >> 1)) % inks.length]
            context.beginPath()
            context.arc(left + (c + (r % 2) / 2 - 0.25) * across, top + r * row, across * 0.33, 0, 2 * Math.PI)
            context.fill()
        }
    }
}

const sizes = [1, 0.7, 0.46]

function symbols(context, width, height, { id, symbol, colors }) {
    const random = dice(id + symbol)
    const isFine = symbol === "·"
    const distance = Math.min(width, height) / (isFine ? 17 : 6.4)
    const inks = inksOf(colors)
    const margin = distance / 2
    const places = scatter(width + 2 * margin, height + 2 * margin, distance, random)
    places.forEach(([x, y], n) => {
        const size = distance * (isFine ? 0.5 : 0.98) * sizes[Math.floor(random() * 3)]
        context.save()
        context.translate(x - margin, y - margin)
        context.rotate((random() - 0.5) * 0.7)
        context.fillStyle = inks[n % inks.length]
        draw(context, symbol, size)
        context.restore()
    })
}

/** Our own shape, so that it looks the same wherever it hangs; a font's where we have none. `size` is its height. */
function draw(context, symbol, size) {
    const shape = shapes[symbol]
    if (!shape) {
        context.font = `${size}px Inter, system-ui, sans-serif`
        context.textAlign = "center"
        context.textBaseline = "middle"
        return context.fillText(symbol, 0, 0)
    }
    context.scale(size / 2, size / 2)
    shape(context)
}

/** Some seven across, every second row shifted by a half and turned the other way. */
function emoji(context, width, height, { symbol }) {
    const across = Math.min(width, height) / 6.2
    const columns = Math.ceil(width / across) + 2, rows = Math.ceil(height / across) + 1
    const left = (width - (columns - 1) * across) / 2, top = (height - (rows - 1) * across) / 2
    context.font = `${Math.round(across * 0.72)}px "Noto Color Emoji", sans-serif`
    context.textAlign = "center"
    context.textBaseline = "middle"
    for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
            context.save()
            context.translate(left + (c + (r % 2) / 2 - 0.25) * across, top + r * across)
            context.rotate((r % 2 ? 1 : -1) * 0.14)
            context.fillText(symbol, 0, across * 0.05)
            context.restore()
        }
    }
}
