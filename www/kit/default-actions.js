// What a browser does by itself with fingers on the page, for the engine's, of which it knows nothing: clicks, scrolling, sliders. And for the
// page's own the clicks that it does not make: a finger that stays is often a long press to it, and one after a swipe nothing at all.

const coasting = 0.25 // seconds of its last velocity that a list goes on when it is let go

export function performDefaultActions(fingers) {
    const actions = new Map(), click = missingClicks()
    fingers.on("began", finger => { if (finger.isStreamed) actions.set(finger.id, action(finger.target)) })
    fingers.on("moved", finger => actions.get(finger.id)?.move(finger))
    fingers.on("ended", finger => {
        const action = actions.get(finger.id)
        actions.delete(finger.id)
        if (finger.isCancelled) return
        if (!finger.isStreamed && finger.isClick) click(finger)
        action?.end(finger)
        if (finger.isStreamed && finger.isClick) finger.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
    })
}

/** Clicks where the browser makes none of a finger that has hardly moved. Should it click all the same, only the first of both counts: its click
 *  bears the moment at which the finger was lifted. */
function missingClicks() {
    const waits = 250 // milliseconds
    let clicked = -Infinity, made = null
    document.addEventListener("click", event => {
        if (!event.isTrusted) return
        clicked = event.timeStamp
        if (made === null || clicked > made.time || !made.target.contains(event.target)) return
        made = null
        event.stopImmediatePropagation()
        event.preventDefault()
    }, true)
    return ({ time, target }) => setTimeout(() => {
        if (clicked >= time || !target.isConnected) return
        made = { target, time }
        target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
    }, waits)
}

function action(target) {
    const slider = target.closest("input[type=range]")
    if (slider) return sliding(slider)
    for (let element = target; element; element = element.parentElement) {
        const { overflowY } = getComputedStyle(element)
        if (element.scrollHeight > element.clientHeight && ["auto", "scroll"].includes(overflowY)) return scrolling(element)
    }
    return { move() {}, end() {} }
}

function scrolling(element) {
    const start = element.scrollTop
    return {
        move: ({ y, startY }) => element.scrollTop = start - (y - startY) * innerHeight,
        end: ({ velocity, isClick }) => {
            if (!isClick) element.scrollBy({ top: -velocity * coasting * innerHeight, behavior: "smooth" })
        },
    }
}

function sliding(slider) {
    const turn = ({ x }) => {
        const { left, width } = slider.getBoundingClientRect()
        const [least, most] = [Number(slider.min), Number(slider.max)]
        slider.value = least + (most - least) * Math.min(1, Math.max(0, (x * innerWidth - left) / width))
        slider.dispatchEvent(new Event("input", { bubbles: true }))
    }
    return {
        move: turn,
        end: finger => {
            turn(finger)
            slider.dispatchEvent(new Event("change", { bubbles: true }))
        },
    }
}
