// The room that the pet lives in: its window has the pet's own time of day. A worn background takes its place.

import { drawing } from "../kit/elements.js"
import { lightAt } from "./light.js"

const stars = [[160, 172], [214, 236], [268, 160], [330, 210], [384, 168], [190, 320], [372, 296], [300, 268]]

const frame = (x, y, turn) => `<g class="frame" transform="translate(${x} ${y}) rotate(${turn})"><rect x="-46" y="-56" width="92" height="112" rx="8"/>
    <rect class="mat" x="-36" y="-46" width="72" height="92" rx="4"/><circle class="who" cy="2" r="20"/><path class="who" d="M-20-4L-22-30L-4-16ZM20-4L22-30L4-16ZM-26 46C-24 16 24 16 26 46Z"/></g>`

const room = `<svg class="room" viewBox="0 0 1080 1000" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop class="sky-top" offset="0"/><stop class="sky-low" offset="1"/></linearGradient>
        <radialGradient id="lamplight"><stop class="lamp-in" offset="0"/><stop class="lamp-out" offset="1"/></radialGradient>
        <clipPath id="pane"><path d="M116 470V250C116 130 202 96 276 96C350 96 436 130 436 250V470Z"/></clipPath></defs>
    <g class="indoors">
        <rect class="wall" x="-60" width="1200" height="3200" y="-2400"/>
        <path class="paper" d="${Array.from({ length: 9 }, (_, n) => `M${60 + 120 * n}-2400V760`).join("")}"/>
        <rect class="board" y="708" width="1080" height="52"/>
        <rect class="floor" x="-60" y="756" width="1200" height="2400"/>
        <path class="planks" d="M0 812H1080M0 886H1080M0 960H1080M150 756V812M470 756V812M820 756V812M300 812V886M680 812V886M960 812V886M120 886V960M520 886V960M860 886V960"/>
        <g class="window" transform="translate(30 132)">
        <g clip-path="url(#pane)"><rect x="100" y="80" width="350" height="400" fill="url(#sky)"/>
            <g class="stars">${stars.map(([x, y], index) => `<circle class="star" cx="${x}" cy="${y}" r="${2.4 + index % 3}"/>`).join("")}</g>
            <g class="orb"><circle class="sun" r="36"/><path class="moon" d="M12-32A34 34 0 1 0 32 14A27 27 0 0 1 12-32Z"/></g>
            <path class="hill far" d="M90 430C150 370 220 372 276 410C330 376 400 380 460 420V490H90Z"/><path class="hill" d="M90 456C180 404 300 420 460 452V490H90Z"/></g>
        <path class="sash" d="M116 470V250C116 130 202 96 276 96C350 96 436 130 436 250V470ZM276 96V470M116 300H436"/>
        <rect class="sill" x="88" y="466" width="376" height="26" rx="10"/>
        <path class="curtain" d="M64 66C60 220 74 380 92 560C124 566 150 560 158 548C150 430 158 330 122 250C140 190 150 130 150 66ZM488 66C492 220 478 380 460 560C428 566 402 560 394 548C402 430 394 330 430 250C412 190 402 130 402 66Z"/>
        <rect class="rod" x="36" y="52" width="480" height="16" rx="8"/></g>
        <g class="frames">${frame(640, 322, -2)}${frame(756, 292, 1)}${frame(868, 334, -1)}</g>
        <circle class="glow" cx="972" cy="490" r="330" fill="url(#lamplight)"/>
        <path class="stand" d="M972 756V490"/><ellipse class="foot" cx="972" cy="762" rx="62" ry="14"/><path class="shade" d="M922 400H1022L1060 516H884Z"/>
        <g class="plant"><path class="leaf" d="M96 640C30 600 14 520 30 470C82 496 108 570 96 640ZM100 640C84 560 110 480 150 440C180 510 160 590 100 640ZM104 648C130 580 190 546 232 548C226 606 170 650 104 648Z"/><path class="pot" d="M44 636H160L146 770H58Z"/></g>
        <ellipse class="rug" cx="540" cy="896" rx="400" ry="76"/><ellipse class="rug ring" cx="540" cy="896" rx="338" ry="58"/>
    </g>
    <g class="outdoors meadow"><rect y="-2000" width="1080" height="3000" fill="url(#sky)"/><g class="orb wide"><circle class="sun" r="58"/><path class="moon" d="M20-52A55 55 0 1 0 52 22A44 44 0 0 1 20-52Z"/></g>
        <path class="cloud" d="M150 260C150 220 200 206 226 230C250 190 320 200 326 244C366 240 376 286 344 296H176C140 296 130 268 150 260ZM700 180C700 146 742 134 764 154C786 120 844 130 850 166C884 164 892 202 866 210H722C692 210 684 188 700 180Z"/>
        <path class="hill far" d="M0 640C220 500 420 560 600 620C760 540 940 540 1080 600V1000H0Z"/><path class="hill" d="M0 720C300 640 700 680 1080 700V1000H0Z"/>
        <g class="blooms">${[[90, 800], [190, 900], [300, 770], [810, 780], [900, 880], [1000, 800], [60, 950], [960, 960], [740, 940], [230, 980]].map(([x, y], index) => `<circle class="bloom b${index % 3}" cx="${x}" cy="${y}" r="13"/><circle class="eye" cx="${x}" cy="${y}" r="5"/>`).join("")}</g></g>
    <g class="outdoors night-sky"><rect class="deep" y="-2000" width="1080" height="3000"/><path class="milky" d="M-100 620C240 420 620 300 1180-60L1180 140C700 460 320 560-100 800Z"/>
        ${Array.from({ length: 70 }, (_, index) => `<circle class="star" cx="${(index * 397 + 40) % 1080}" cy="${(index * 223 + index * index * 7) % 720 - 60}" r="${1.6 + index % 4}"/>`).join("")}
        <path class="moon" transform="translate(880 190) scale(2)" d="M12-32A34 34 0 1 0 32 14A27 27 0 0 1 12-32Z"/><path class="hill" d="M0 760C260 690 460 720 640 750C800 700 960 710 1080 740V1000H0Z"/></g>
    <g class="outdoors other"><rect class="plain" y="-2000" width="1080" height="3000"/><circle class="ring" cx="540" cy="460" r="420"/><circle class="ring" cx="540" cy="460" r="280"/><rect class="ground" y="760" width="1080" height="260"/></g>
</svg>`

const drawn = ["meadow", "night-sky"]

/** The sun's, or the moon's, place on its way, in the window or in the open. */
const place = ({ way }, [left, right], low, high) => `translate(${left + (right - left) * way}px, ${low - (low - high) * Math.sin(Math.PI * way)}px)`

export class Room {
    #svg = drawing(room)

    constructor(element) {
        this.element = element
        element.prepend(this.#svg)
    }

    /** `pet - 1` lived here before it: each has a picture on the wall. */
    show({ time, worn, pet, condition }) {
        const light = lightAt(time)
        const style = this.element.style
        style.setProperty("--bright", light.brightness.toFixed(3))
        style.setProperty("--warmth", light.warmth.toFixed(3))
        this.element.dataset.orb = light.isDay ? "sun" : "moon"
        this.element.dataset.scene = !worn.background ? "room" : drawn.includes(worn.background) ? worn.background : "other"
        this.element.dataset.condition = condition
        this.#svg.querySelector(".orb").style.transform = place(light, [140, 412], 420, 150)
        this.#svg.querySelector(".orb.wide").style.transform = place(light, [140, 940], 560, 130)
        for (const [index, frame] of [...this.#svg.querySelectorAll(".frame")].entries()) frame.toggleAttribute("data-hangs", index < pet - 1)
    }
}
