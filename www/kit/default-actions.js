// What a browser does by itself with fingers on the page, for the engine's, of which it knows nothing: clicks, scrolling, sliders.

const coasting = 0.25 // seconds of its last velocity that a list goes on when it is let go

export function performDefaultActions(fingers) {
    const actions = new Map()
    fingers.on("began", finger => { if (finger.isStreamed) actions.set(finger.id, action(finger.target)) })
    fingers.on("moved", finger => actions.get(finger.id)?.move(finger))
    fingers.on("ended", finger => {
        const action = actions.get(finger.id)
        actions.delete(finger.id)
        if (finger.isCancelled) return
        action?.end(finger)
        if (finger.isStreamed && finger.isClick) finger.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
    })
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
