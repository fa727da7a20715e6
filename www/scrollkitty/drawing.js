// The cat, drawn: a figure for each state, of few large shapes with one line weight. Colours and motion are in cat.css. A figure is 600 by
// 600, and stands on y = 548. A head is drawn around its own middle, 240 wide.

export const states = ["healthy", "concerned", "tired", "weak", "dead"]

/** A tail is a thick line with an outline; `width` is the fur's. */
const tail = (d, width = 40, name = "tail") => `<g class="${name}">
    <path class="rope ink" d="${d}" stroke-width="${width + 14}"/>
    <path class="rope" d="${d}" stroke-width="${width}"/>
    <path class="rope band" d="${d}" stroke-width="${width}" pathLength="100" stroke-dasharray="5 9 5 9 5 100" stroke-dashoffset="-38"/>
    <path class="rope tip" d="${d}" stroke-width="${width}" pathLength="100" stroke-dasharray="13 100" stroke-dashoffset="-87.5"/>
</g>`

const ear = `<g class="ear">
    <path class="fur" d="M28-70C44-112 74-146 98-154C110-158 118-150 119-138C123-94 118-44 106-2Z"/>
    <path class="pink" d="M58-76C68-100 82-118 97-128C102-102 101-76 96-46Z"/>
</g>`

const skull = "M-60-78C-28-89 28-89 60-78C98-62 119-22 120 12C121 30 128 38 132 46C122 56 108 60 94 64C72 80 38 90 0 90"
    + "C-38 90-72 80-94 64C-108 60-122 56-132 46C-128 38-121 30-120 12C-119-22-98-62-60-78Z"

const shine = `<circle class="shine" cx="-7" cy="-10" r="8"/><circle class="shine" cx="7" cy="10" r="3.5"/>`

/** An eye around its own middle; `side` is -1 or 1. */
const eye = {
    healthy: () => `<ellipse class="iris" rx="28" ry="31"/><g class="pupil"><ellipse class="dark" rx="17" ry="24"/>${shine}</g>`,
    // The outer corner hangs: worry, not anger.
    concerned: side => `<path class="iris" transform="scale(${side} 1)" d="M-28-14C-14-24 16-16 30 0C30 18 18 29 0 29C-20 29-34 8-28-14Z"/>
        <g class="pupil"><ellipse class="dark" cy="6" rx="13" ry="18"/><circle class="shine" cx="-5" cy="-2" r="6"/></g>
        <path class="line" transform="scale(${side} 1)" d="M-30-40C-14-46 6-42 20-32"/>`,
    tired: side => `<path class="iris" transform="scale(${side} 1)" d="M-29-2C-8-2 12 2 29 9C25 22 14 29 0 29C-16 29-28 18-29-2Z"/>
        <g class="pupil"><path class="dark" d="M-14 5C-4 5 6 6 14 8C12 18 8 26 0 26C-8 26-14 18-14 5Z"/></g>
        <path class="line" transform="scale(${side} 1)" d="M-33-3C-10-4 14 1 33 11"/>`,
    weak: side => `<path class="iris" transform="scale(${side} 1)" d="M-27 6C-8 8 12 11 27 15C18 31-20 29-27 6Z"/>
        <path class="dark" transform="scale(${side} 1)" d="M-9 9C-3 10 4 10 9 12C7 25-7 25-9 9Z"/>
        <path class="line" transform="scale(${side} 1)" d="M-33 4C-10 8 14 11 33 18"/>`,
    dead: () => `<path class="line" d="M-28 4C-20 22 20 22 28 4"/>`,
}

const bliss = `<path class="line" d="M-28 14C-20-10 20-10 28 14"/>`

const mouths = {
    healthy: "M-26 58C-22 72-4 72 0 56C4 72 22 72 26 58",
    concerned: "M-20 64C-14 70-4 68 0 58C4 68 14 70 20 64",
    tired: "M-16 64C-11 69-3 67 0 57C3 67 11 69 16 64",
    weak: "M-13 63C-9 68-3 66 0 57C3 66 9 68 13 63",
    dead: "M-20 62C-14 70-4 68 0 57C4 68 14 70 20 62",
}

const yawn = `<g class="yawn"><path class="dark" d="M-20 58C-14 50 14 50 20 58C30 92 14 108 0 108C-14 108-30 92-20 58Z"/><path class="tongue" d="M-13 96C-10 80 10 80 13 96C8 106-8 106-13 96Z"/></g>`

const whiskers = `<path class="whisker" d="M74 44L150 30M76 57L154 60M-74 44L-150 30M-76 57L-154 60"/>`

const head = state => `<g class="head"><g class="turn">
    <g class="ears"><g transform="scale(-1 1)">${ear}</g>${ear}</g>
    <path class="fur" d="${skull}"/>
    <path class="marks" d="M0-76L0-40M-30-72L-24-46M30-72L24-46"/>
    <path class="cream" d="M0 34C18 24 52 34 56 56C56 74 32 82 0 82C-32 82-56 74-56 56C-52 34-18 24 0 34Z"/>
    <g class="eyes"><g transform="translate(-54 4)"><g class="eye">${eye[state](-1)}</g></g>
        <g transform="translate(54 4)"><g class="eye">${eye[state](1)}</g></g></g>
    <g class="bliss"><g transform="translate(-54 0)">${bliss}</g><g transform="translate(54 0)">${bliss}</g></g>
    <path class="nose" d="M-14 38C-8 33 8 33 14 38C14 46 6 52 0 54C-6 52-14 46-14 38Z"/>
    <path class="line" d="${mouths[state]}"/>${yawn}
    ${whiskers}
</g></g>`

const placed = (state, x, y, turn = 0, size = 1) => `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${size})">${head(state)}</g>`

const sitting = `<path class="fur" d="M226 268C196 330 158 398 150 470C144 526 168 548 214 548L386 548C432 548 456 526 450 470
        C442 398 404 330 374 268Z"/>
    <path class="cream" d="M300 286C330 286 352 306 350 338C348 372 322 398 300 404C278 398 252 372 250 338C248 306 270 286 300 286Z"/>
    <path class="marks" d="M172 420L206 430M168 456L200 462M428 420L394 430M432 456L400 462"/>
    <path class="line" d="M206 546C174 520 180 466 226 452M394 546C426 520 420 466 374 452"/>
    <path class="fur paw" d="M254 418C254 470 250 500 236 516C220 534 230 549 256 549L282 549C296 549 300 540 300 526L300 440"/>
    <path class="fur paw right" d="M346 418C346 470 350 500 364 516C380 534 370 549 344 549L318 549C304 549 300 540 300 526L300 440"/>
    <path class="line" d="M252 536L252 547M274 536L274 547"/><path class="line right" d="M326 536L326 547M348 536L348 547"/>`

/** A foreleg that it lifts, to wash itself or to tap on the glass. The one that it stands on goes meanwhile. */
const arm = `<g class="arm"><path class="fur" d="M404 486C420 424 410 352 376 306C360 284 326 288 322 314C320 332 334 344 342 366C352 396 346 440 334 474"/>
    <path class="line toes" d="M336 300L344 318M354 292L360 312"/>
    <g class="pads"><ellipse class="pink" cx="349" cy="329" rx="14" ry="11"/><circle class="pink" cx="334" cy="311" r="6.5"/><circle class="pink" cx="347" cy="303" r="6.5"/><circle class="pink" cx="361" cy="307" r="6.5"/></g></g>`

const figures = {
    healthy: `${tail("M404 514C508 524 556 462 524 394C502 346 504 300 552 270")}
        <g class="body">${sitting}</g>${placed("healthy", 300, 184, 0, 1.14)}${arm}`,

    concerned: `${tail("M410 516C520 500 552 574 452 576C390 578 330 574 268 580", 38)}
        <g class="body hunched">${sitting}</g>${placed("concerned", 294, 254, -5, 1.12)}`,

    tired: `${tail("M480 500C590 512 590 576 500 576C440 576 400 572 330 578", 36, "tail low")}
        <g class="body"><path class="fur" d="M96 548C84 470 176 380 300 366C436 354 530 424 532 506C533 536 518 549 492 549Z"/>
        <path class="marks" d="M366 372L370 412M410 378L410 418M452 398L444 434"/>
        <path class="line" d="M522 538C442 560 392 516 424 456"/></g>
        <path class="fur" d="M80 549C54 549 48 514 80 510L366 510C398 514 392 549 366 549Z"/>
        <path class="line" d="M82 530L82 547M106 528L106 547M364 530L364 547M340 528L340 547"/>
        ${placed("tired", 220, 446, 5, 1.08)}`,

    weak: `${tail("M440 500C500 520 490 576 410 576C350 576 300 572 240 574", 36, "tail low")}
        <g class="body"><path class="fur" d="M128 500C122 402 214 348 316 350C420 352 486 416 484 486C482 532 438 549 390 549
            L206 549C158 549 130 536 128 500Z"/>
        <path class="marks" d="M334 356L338 392M378 362L376 398M418 384L408 416"/>
        <path class="line" d="M474 522C412 542 362 506 388 456"/></g>
        ${placed("weak", 214, 476, -10, 0.84)}`,

    dead: `<g transform="translate(74 76) scale(0.78)">${tail("M440 462C500 482 490 536 410 536C350 536 300 532 240 534", 36, "tail low")}
        <g class="body"><path class="fur" d="M128 460C122 362 214 308 316 310C420 312 486 376 484 446C482 492 438 509 390 509
            L206 509C158 509 130 496 128 460Z"/>
        <path class="line" d="M474 482C412 502 362 466 388 416"/></g>
        ${placed("dead", 214, 436, -10, 0.88)}</g>`,
}

const sky = `<g class="sky"><circle class="disc" cx="300" cy="300" r="268"/>
    <path class="crescent" d="M96 138A260 260 0 1 0 560 300A232 232 0 1 1 96 138Z"/>
    <path class="star" d="M470 120l7 17 17 7-17 7-7 17-7-17-17-7 17-7ZM380 214l5 12 12 5-12 5-5 12-5-12-12-5 12-5ZM520 226l4 10 10 4-10 4-4 10-4-10-10-4 10-4Z"/></g>`

const ground = `<ellipse class="shadow" cx="300" cy="566" rx="200" ry="24"/>`

/** All figures, one over the other. */
export const scene = `<svg class="cat" viewBox="0 0 600 600" aria-hidden="true">${sky}${ground}
    ${states.map(state => `<g class="figure" data-figure="${state}"><g class="float">${figures[state]}</g></g>`).join("")}</svg>`

/** A paw from above, as it lies on something; its leg goes down. */
export const paw = state => `<svg class="cat paw-on" viewBox="0 0 200 300" data-state="${state}" aria-hidden="true">
    <path class="fur" d="M44 520C48 230 40 170 30 118C18 56 52 16 100 16C148 16 182 56 170 118C160 170 152 230 156 520"/>
    <path class="line" d="M74 26C68 50 68 66 74 84M126 26C132 50 132 66 126 84"/><path class="marks" d="M62 190L92 200M138 190L108 200M62 236L92 246M138 236L108 246"/></svg>`

/** The head alone. */
export const face = state => `<svg class="cat face" viewBox="-160 -170 320 280" data-state="${state}" aria-hidden="true">${head(state)}</svg>`
