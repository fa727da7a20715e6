// A dish flies from where it was chosen to the pet.

import { isCalm } from "../kit/motion.js"

const lasts = 620 // milliseconds

/** Has `dish`, a drawing, fly from one element to another, and resolves when it is there. Where motion is not welcome it is there at once. */
export async function fly(dish, from, to) {
    if (isCalm()) return
    const [start, end] = [from, to].map(element => element.getBoundingClientRect())
    const size = Math.max(start.width, 64)
    const [x, y] = [start.x + start.width / 2 - size / 2, start.y + start.height / 2 - size / 2]
    const [right, down] = [end.x + end.width / 2 - size / 2 - x, end.y + end.height * 0.56 - size / 2 - y]
    dish.classList.add("flies")
    Object.assign(dish.style, { left: `${x}px`, top: `${y}px`, width: `${size}px`, height: `${size}px` })
    document.body.append(dish)
    // Up in a bow, and small at the mouth.
    await dish.animate([
        { transform: "none", opacity: 1, easing: "cubic-bezier(0.2, 0.6, 0.6, 1)" },
        { transform: `translate(${right * 0.6}px, ${down * 0.6 - size * 0.9}px) scale(1.1) rotate(8deg)`, opacity: 1, offset: 0.55, easing: "cubic-bezier(0.5, 0, 0.9, 0.6)" },
        { transform: `translate(${right}px, ${down}px) scale(0.35)`, opacity: 0.4 },
    ], lasts).finished
    dish.remove()
}
