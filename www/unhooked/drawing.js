// The pets, drawn: a cat and a dog, sitting, ill in bed, and the bed that is left. Large flat shapes; colours, stages and motion are in
// pet.css. A scene is 600 by 640, and stands on y = 580. A head is drawn around its own middle, and its chin is at y = 100.

import { worn } from "./cosmetics.js"

export const species = ["cat", "dog"]
export const stages = ["baby", "young", "grown", "old"]

const shine = `<circle class="shine" cx="-7" cy="-11" r="8.5"/><circle class="shine" cx="8" cy="10" r="4"/>`

const eyes = {
    cat: `<ellipse class="iris" rx="27" ry="31"/><g class="pupil"><ellipse class="dark" rx="18" ry="25"/>${shine}</g>`,
    dog: `<ellipse class="white" rx="27" ry="29"/><g class="pupil"><ellipse class="iris" rx="23" ry="26"/><ellipse class="dark" rx="17" ry="20"/>${shine}</g>`,
}

/** Both eyes, the left one mirrored. */
const pair = (markup, x, y) => `<g transform="translate(${-x} ${y}) scale(-1 1)">${markup}</g><g transform="translate(${x} ${y})">${markup}</g>`

const looks = (kind, x, y) => `
    <g class="look look-open"><g transform="translate(${-x} ${y})"><g class="eye">${eyes[kind]}</g></g><g transform="translate(${x} ${y})"><g class="eye">${eyes[kind]}</g></g></g>
    <g class="look look-bliss">${pair(`<path class="line" d="M-25 10C-16-14 16-14 25 10"/>`, x, y)}</g>
    <g class="look look-sad"><g transform="translate(${-x} ${y + 4})">${eyes[kind]}</g><g transform="translate(${x} ${y + 4})">${eyes[kind]}</g>
        ${pair(`<path class="lid" d="M-34-40L40-44L40-2C18-22-12-24-34-20Z"/><path class="line brow" d="M-24-46C-6-48 14-42 28-30"/>`, x, y)}</g>
    <g class="look look-ill">${pair(`<path class="line" d="M-26 2C-10 12 12 12 26 2"/><path class="line thin" d="M-20 20C-8 25 8 25 20 20"/>`, x, y)}</g>
    <g class="look look-asleep">${pair(`<path class="line" d="M-25 4C-12 15 12 15 25 4"/>`, x, y)}</g>`

const mouths = y => `<path class="line look look-open look-ill" d="M-24 ${y}C-20 ${y + 13} -4 ${y + 13} 0 ${y}C4 ${y + 13} 20 ${y + 13} 24 ${y}"/>
    <g class="look look-bliss"><path class="dark" d="M-22 ${y + 2}C-12 ${y + 7} 12 ${y + 7} 22 ${y + 2}C20 ${y + 28} -20 ${y + 28} -22 ${y + 2}Z"/>
        <path class="tongue" d="M-13 ${y + 19}C-6 ${y + 11} 6 ${y + 11} 13 ${y + 19}C6 ${y + 25} -6 ${y + 25} -13 ${y + 19}Z"/></g>
    <path class="line look look-asleep" d="M-15 ${y + 5}C-7 ${y + 9} 7 ${y + 9} 15 ${y + 5}"/>
    <path class="line look look-sad" d="M-18 ${y + 13}C-10 ${y + 2} 10 ${y + 2} 18 ${y + 13}"/>`

const bandage = `<g class="bandage" transform="translate(66 -66) rotate(34)"><rect x="-42" y="-15" width="84" height="30" rx="15"/>
    <rect class="pad" x="-16" y="-15" width="32" height="30"/><path d="M-28-3v6M-23-3v6M28-3v6M23-3v6"/></g>`

const thermometer = `<g class="thermometer" transform="translate(22 66) rotate(24)"><rect x="0" y="-7" width="92" height="14" rx="7"/>
    <path d="M18 0H62"/><circle cx="80" cy="0" r="9"/></g>`

const catHead = `<g class="ear left"><path class="fur" d="M-118-8C-132-76-134-128-124-146C-116-156-66-122-36-86Z"/><path class="pink" d="M-102-56C-112-92-114-116-110-126C-98-122-74-104-58-88Z"/></g>
    <g class="ear right"><path class="fur" d="M118-8C132-76 134-128 124-146C116-156 66-122 36-86Z"/><path class="pink" d="M102-56C112-92 114-116 110-126C98-122 74-104 58-88Z"/></g>
    <path class="fur" d="M0-98C58-98 108-72 124-20C132 4 142 22 146 40C128 52 112 58 100 68C74 92 40 101 0 101C-40 101-74 92-100 68C-112 58-128 52-146 40C-142 22-132 4-124-20C-108-72-58-98 0-98Z"/>
    <path class="mark" d="M0-98C8-98 12-78 9-52C7-40-7-40-9-52C-12-78-8-98 0-98ZM-38-93C-28-92-22-78-24-60C-27-52-36-54-38-62C-42-76-42-90-38-93ZM38-93C28-92 22-78 24-60C27-52 36-54 38-62C42-76 42-90 38-93Z"/>
    <path class="cream" d="M0 28C20 22 62 36 62 62C62 88 34 101 0 101C-34 101-62 88-62 62C-62 36-20 22 0 28Z"/>
    <circle class="blush" cx="-92" cy="42" r="20"/><circle class="blush" cx="92" cy="42" r="20"/>
    ${looks("cat", 54, 0)}
    <path class="nose" d="M-15 34C-8 29 8 29 15 34C15 43 6 50 0 51C-6 50-15 43-15 34Z"/>${mouths(54)}
    <path class="whisker" d="M84 50L158 40M84 62L160 68M-84 50L-158 40M-84 62L-160 68"/>
    <path class="age" d="M-86-34C-72-46-54-48-42-42M86-34C72-46 54-48 42-42M-40 78C-26 90 26 90 40 78"/>`

const dogHead = `<path class="fur" d="M0-100C62-100 108-68 116-12C121 24 116 56 94 80C72 98 38 103 0 103C-38 103-72 98-94 80C-116 56-121 24-116-12C-108-68-62-100 0-100Z"/>
    <path class="cream" d="M0-99C14-99 18-82 17-52C18-22 36 0 58 24C76 44 72 78 52 92C36 101 18 103 0 103C-18 103-36 101-52 92C-72 78-76 44-58 24C-36 0-18-22-17-52C-18-82-14-99 0-99Z"/>
    <path class="mark patch" d="M24-40C44-58 84-52 96-22C102 4 92 30 74 32C48 30 28 8 22-14C20-24 20-34 24-40Z"/>
    <circle class="blush" cx="-88" cy="46" r="18"/><circle class="blush" cx="88" cy="46" r="18"/>
    ${looks("dog", 56, -6)}
    <path class="age" d="M-84-42C-72-52-54-52-44-46M84-42C72-52 54-52 44-46M-40 86C-26 94 26 94 40 86"/>
    <path class="dark snout" d="M-27 30C-16 22 16 22 27 30C28 44 12 54 0 54C-12 54-28 44-27 30Z"/><ellipse class="shine soft" cx="-9" cy="32" rx="7" ry="3.5"/>${mouths(58)}
    <g class="ear left"><path class="mark" d="M-74-92C-120-98-162-62-168 0C-170 44-152 76-132 74C-112 68-106 26-98-8C-92-36-78-60-66-72Z"/></g>
    <g class="ear right"><path class="mark" d="M74-92C120-98 162-62 168 0C170 44 152 76 132 74C112 68 106 26 98-8C92-36 78-60 66-72Z"/></g>`

/** A head with what is worn on it; `clothes` are markup by category. */
const head = (kind, clothes) => `<g class="head-size"><g class="turn">${kind === "cat" ? catHead : dogHead}
    <g class="worn glasses">${clothes.glasses}</g>${bandage}<g class="worn hat">${clothes.hat}</g></g></g>`

const torso = "M300 306C240 308 214 366 192 432C168 508 152 582 226 584L374 584C448 582 432 508 408 432C386 366 360 308 300 306Z"

const tails = {
    cat: `<g class="tail"><path class="rope" d="M396 560C486 572 522 520 506 456C494 408 520 378 552 386"/><path class="rope end" d="M512 424C513 398 530 382 552 386"/></g>`,
    dog: `<g class="tail"><path class="rope thick" d="M394 548C446 536 486 496 490 440"/><path class="rope end" d="M484 474C488 462 490 452 490 440"/></g>`,
}

const legs = `<g class="legs"><path class="fur" d="M246 428C248 478 246 520 240 548C234 574 244 586 268 586C292 586 298 576 298 556L298 436Z"/>
    <path class="fur" d="M354 428C352 478 354 520 360 548C366 574 356 586 332 586C308 586 302 576 302 556L302 436Z"/>
    <path class="cream" d="M240 562C238 578 248 586 268 586C290 586 298 578 298 562C280 552 254 552 240 562ZM360 562C362 578 352 586 332 586C310 586 302 578 302 562C320 552 346 552 360 562Z"/>
    <path class="line faint" d="M262 572v12M278 572v12M322 572v12M338 572v12M300 446V556"/></g>
    <path class="fur" d="M176 560C170 580 184 588 206 588L232 588C244 586 246 572 236 564C220 550 188 548 176 560ZM424 560C430 580 416 588 394 588L368 588C356 586 354 572 364 564C380 550 412 548 424 560Z"/>`

const sitting = (kind, clothes) => `<ellipse class="shadow" cx="300" cy="586" rx="190" ry="22"/>
    <g class="coat-back worn">${clothes.coatBack}</g>
    <g class="body">${tails[kind]}<g class="belly"><path class="fur" d="${torso}"/>
        <path class="cream" d="M300 322C344 324 358 380 352 436C346 486 326 512 300 512C274 512 254 486 248 436C242 380 256 324 300 322Z"/></g>
        ${legs}<g class="belly coat worn">${clothes.coat}</g></g>
    <g class="head"><g class="neck worn" transform="translate(300 336)">${clothes.neck}</g><g transform="translate(300 230)">${head(kind, clothes)}</g></g>`

const bedBack = `<path class="bed-back" d="M70 470C70 420 110 404 300 404C490 404 530 420 530 470L530 560L70 560Z"/>`
const bedFront = `<path class="bed" d="M44 508C44 490 84 492 100 500C180 530 420 530 500 500C516 492 556 490 556 508L544 566C540 586 522 592 500 592L100 592C78 592 60 586 56 566Z"/>
    <path class="bed-seam" d="M64 540C180 566 420 566 536 540"/>`
const pillow = `<path class="pillow" d="M84 444C72 410 104 396 150 400C206 394 262 392 276 412C292 436 290 484 268 498C220 508 130 512 100 500C80 490 88 466 84 444Z"/>`

const lying = (kind, clothes) => `<ellipse class="shadow" cx="300" cy="594" rx="270" ry="20"/>${bedBack}${pillow}
    <g class="hook worn" transform="translate(408 196) scale(0.5)"><circle class="peg" cx="0" cy="-22" r="16"/><g transform="translate(-300 -330)">${clothes.coat}</g></g>
    <g class="body"><path class="blanket" d="M226 540C214 452 268 402 350 400C440 396 512 432 522 520L516 560L232 560Z"/>
        <path class="blanket-fold" d="M226 540C214 452 250 414 296 404C322 440 316 500 296 556L230 560Z"/>
        <path class="blanket-stitch" d="M352 416l14 14M420 424l14 14M384 466l14 14M456 466l14 14M346 510l14 14M426 514l14 14"/></g>
    <g class="head"><g class="neck worn" transform="translate(222 462) rotate(-12) scale(0.8)">${clothes.neck}</g>
        <g class="shiver"><g transform="translate(196 400) rotate(-12) scale(0.84)">${head(kind, clothes)}<g class="head-size">${thermometer}</g></g></g></g>${bedFront}`

const empty = `<ellipse class="shadow" cx="300" cy="594" rx="270" ry="20"/>${bedBack}${pillow}
    <path class="hollow" d="M120 520C150 470 250 456 330 462C420 466 476 488 490 520L490 560L110 560Z"/>
    <path class="blanket" d="M330 500C372 466 470 470 500 500C512 524 510 546 504 560L322 560C312 540 314 516 330 500Z"/>
    <path class="blanket-fold" d="M330 500C372 466 470 470 500 500C470 512 388 520 330 500Z"/>
    <g class="flower" transform="translate(296 440)"><path class="stem" pathLength="1" d="M0 110C-6 60-14 20 6-40"/><path class="leaf" d="M-4 46C-40 40-52 14-50 4C-24 6-6 22-4 46ZM-6 72C28 62 40 40 40 26C16 32-4 48-6 72Z"/>
        <g transform="translate(6 -48)"><g class="blossom">${[0, 60, 120, 180, 240, 300].map(turn => `<ellipse class="petal" rx="15" ry="27" transform="rotate(${turn}) translate(0 -27)"/>`).join("")}<circle class="heart" r="15"/></g></g></g>${bedFront}`

const thought = `<g class="thought" transform="translate(470 120)"><circle cx="-74" cy="92" r="8"/><circle cx="-54" cy="66" r="13"/><ellipse rx="72" ry="56"/>
    <path class="dish" d="M-42 4H42C40 26 26 34 0 34C-26 34-40 26-42 4Z"/><path class="steam" d="M-16-8C-24-18-8-24-16-34M6-8C-2-18 14-24 6-34"/></g>`

const sparkles = `<path class="sparkle" d="M92 210l9 24 24 9-24 9-9 24-9-24-24-9 24-9ZM508 130l7 18 18 7-18 7-7 18-7-18-18-7 18-7ZM126 96l6 15 15 6-15 6-6 15-6-15-15-6 15-6ZM500 300l6 15 15 6-15 6-6 15-6-15-15-6 15-6Z"/>`

/** All postures of a `kind`, one over the other; pet.css shows that of the condition. `items` are ids by category. */
export function scene(kind, items = {}) {
    const clothes = worn(items)
    return `<svg class="pet ${kind}" viewBox="0 0 600 640" aria-hidden="true">
        <g class="posture sits"><g class="stage-size"><g class="float">${sitting(kind, clothes)}</g></g>${thought}${sparkles}</g>
        <g class="posture lies">${lying(kind, clothes)}</g><g class="posture gone">${empty}</g></svg>`
}

/** A sitting pet alone, as in a picture of it. */
export function portrait(kind, stage, items = {}) {
    return `<svg class="pet still ${kind}" viewBox="36 36 540 580" data-condition="healthy" data-stage="${stage}" data-face="open" aria-hidden="true">
        <g class="posture sits"><g class="stage-size">${sitting(kind, worn(items))}</g></g></svg>`
}

/** A head with what it wears. */
export function bust(kind, items = {}) {
    const clothes = worn(items)
    return `<svg class="pet still bust ${kind}" viewBox="74 14 452 452" data-condition="healthy" data-stage="grown" data-face="open" aria-hidden="true">
        <g class="posture sits">${sitting(kind, clothes)}</g></svg>`
}
