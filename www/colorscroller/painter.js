// Paints cards away from the page's own thread, so that a frame that scrolls is never late for one.

import { paint } from "./skins.js"

addEventListener("message", ({ data: { id, width, height, card } }) => {
    const canvas = new OffscreenCanvas(width, height)
    paint(canvas.getContext("2d"), width, height, card)
    const bitmap = canvas.transferToImageBitmap()
    postMessage({ id, bitmap }, [bitmap])
})
