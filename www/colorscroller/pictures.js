// Pictures of cards, painted by a worker in the order in which they are wanted.

const worker = new Worker(new URL("painter.js", import.meta.url), { type: "module" })
const waiting = new Map()
let lastID = 0

worker.addEventListener("message", ({ data: { id, bitmap } }) => {
    waiting.get(id)(bitmap)
    waiting.delete(id)
})

/** An `ImageBitmap` of so many pixels. */
export function picture(card, width, height) {
    const id = ++lastID
    worker.postMessage({ id, width: Math.round(width), height: Math.round(height), card })
    return new Promise(resolve => waiting.set(id, resolve))
}

/** A canvas that shows a skin, `width` by `height` CSS pixels. */
export function swatch(skin, width, height) {
    const canvas = document.createElement("canvas")
    const density = Math.min(2, devicePixelRatio)
    canvas.setAttribute("aria-hidden", "true")
    picture({ face: "skin", skin }, width * density, height * density).then(bitmap => show(canvas, bitmap))
    return canvas
}

/** Hands a bitmap to a canvas, without a copy. */
export function show(canvas, bitmap) {
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap)
}
