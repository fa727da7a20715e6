// Confetti for what is special: the skin's own symbols, thrown from where its name stands.

import { fromHex, mix, toHex } from "./colors.js"
import { inksOf } from "./skins.js"
import { shapes } from "./shapes.js"

const lasts = 2.4 // seconds
const pieces = 90

/** Throws it over `canvas`, from a place on the screen in pixels. */
export function throwConfetti(canvas, skin, { x, y }) {
    const [width, height] = [canvas.width, canvas.height] = [innerWidth, innerHeight]
    const context = canvas.getContext("2d")
    const size = Math.min(width, height)
    const draw = drawer(skin)
    // What is the card's own ground would not show on it: paler ones of it do.
    const inks = [...new Set(inksOf(skin.colors)), "#ffffff", toHex(mix(fromHex(skin.colors[0]), [1, 1, 1], 0.6))]
    const thrown = Array.from({ length: pieces }, (_, n) => {
        const angle = Math.PI * 2 * Math.random(), speed = size * (0.5 + 1.5 * Math.random())
        return { right: Math.cos(angle) * speed, down: Math.sin(angle) * speed * 0.7 - size * 0.2, turn: 6 * Math.random(), spin: 7 * (Math.random() - 0.5),
                 length: size * (0.016 + 0.03 * Math.random() ** 2), ink: inks[n % inks.length] }
    })
    const start = performance.now()
    canvas.hidden = false
    const frame = now => {
        const time = (now - start) / 1000
        context.clearRect(0, 0, width, height)
        if (time > lasts) return void (canvas.hidden = true)
        context.globalAlpha = Math.min(1, (lasts - time) * 2)
        // They are slowed by the air, and fall.
        const flown = (1 - Math.exp(-2.6 * time)) / 2.6
        for (const { right, down, turn, spin, length, ink } of thrown) {
            context.save()
            context.translate(x + right * flown, y + down * flown + size * 0.55 * time * time)
            context.rotate(turn + spin * time)
            context.fillStyle = ink
            draw(context, length)
            context.restore()
        }
        requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
}

/** What draws one piece, `length` its radius, filled in the context's colour. */
function drawer({ kind, symbol }) {
    if (kind === "emoji") {
        // Drawn by its font once: as text each piece would take as long in every frame.
        const side = 128
        const picture = new OffscreenCanvas(side, side)
        const context = picture.getContext("2d")
        context.font = `${Math.round(side * 0.78)}px "Noto Color Emoji", sans-serif`
        context.textAlign = "center"
        context.textBaseline = "middle"
        context.fillText(symbol, side / 2, side * 0.54)
        return (context, length) => context.drawImage(picture, -1.6 * length, -1.6 * length, 3.2 * length, 3.2 * length)
    }
    const shape = kind === "dots" ? shapes["·"] : shapes[symbol]
    if (!shape) return (context, length) => context.fillRect(-length, -length / 2.5, 2 * length, length / 1.25)
    return (context, length) => {
        context.scale(length, length)
        shape(context)
    }
}
