// What pets wear, drawn: by category, in the places of drawing.js. A hat and glasses are drawn around a head's middle, what is on the neck
// around the throat, coats over a sitting body. What this page does not know is drawn as something plain of its category.

const hats = {
    cap: `<path fill="#d9483b" d="M-92-66C-92-136-44-160 0-160C44-160 92-136 92-66C40-84-40-84-92-66Z"/><path fill="#b23228" d="M-92-66C-40-86 60-88 150-58C156-48 146-40 130-44C60-66-30-72-92-52C-98-56-96-62-92-66Z"/><circle fill="#f4d35e" cy="-160" r="12"/><path fill="none" stroke="#b23228" stroke-width="5" d="M0-158C-8-130-8-100 0-80"/>`,
    crown: `<path fill="#f2b632" d="M-82-72L-96-158L-48-118L0-176L48-118L96-158L82-72C30-88-30-88-82-72Z"/><path fill="#d6912b" d="M-82-72C-30-88 30-88 82-72L80-92C30-107-30-107-80-92Z"/><circle fill="#e0507a" cy="-116" r="12"/><circle fill="#5aa9e6" cx="-50" cy="-108" r="8"/><circle fill="#5aa9e6" cx="50" cy="-108" r="8"/><circle fill="#fff1c1" cx="-96" cy="-160" r="9"/><circle fill="#fff1c1" cy="-178" r="9"/><circle fill="#fff1c1" cx="96" cy="-160" r="9"/>`,
    "wool-hat": `<path fill="#3f8f8a" d="M-100-62C-104-142-50-170 0-170C50-170 104-142 100-62C40-82-40-82-100-62Z"/><path fill="#f3ead9" d="M-108-58C-112-84-104-90-92-92C-34-106 34-106 92-92C104-90 112-84 108-58C104-46 94-48 86-50C30-64-30-64-86-50C-94-48-104-46-108-58Z"/><path fill="none" stroke="#f3ead9" stroke-width="7" d="M-88-114L-62-134L-36-118L-10-140L16-120L42-136L70-116L90-122"/><circle fill="#f3ead9" cy="-180" r="26"/>`,
}
const glasses = {
    "round-glasses": `<g fill="rgb(180 220 255 / 0.22)" stroke="#2b2a35" stroke-width="8"><circle cx="-56" cy="0" r="39"/><circle cx="56" cy="0" r="39"/><path fill="none" d="M-18-6C-8-14 8-14 18-6M-94-6L-124-16M94-6L124-16"/></g>`,
    "star-glasses": `<g fill="rgb(255 130 170 / 0.45)" stroke="#e0507a" stroke-width="8" stroke-linejoin="round"><path d="M-56-48L-43-16L-9-14L-35 8L-27 42L-56 23L-85 42L-77 8L-103-14L-69-16Z"/><path d="M56-48L69-16L103-14L77 8L85 42L56 23L27 42L35 8L9-14L43-16Z"/><path fill="none" d="M-12-12C-6-16 6-16 12-12"/></g>`,
}
const necks = {
    bell: `<path fill="#c5394b" d="M-72-16C-40 8 40 8 72-16L76 4C44 32-44 32-76 4Z"/><circle fill="#f2b632" cy="32" r="21"/><path fill="none" stroke="#9a6412" stroke-width="5" stroke-linecap="round" d="M-19 30H19M0 38V50"/><circle fill="#9a6412" cy="38" r="5"/>`,
    bow: `<path fill="#8f3fa0" d="M0 14C-26-14-66-22-76-6C-84 12-80 42-68 50C-52 54-20 36 0 14Z"/><path fill="#8f3fa0" d="M0 14C26-14 66-22 76-6C84 12 80 42 68 50C52 54 20 36 0 14Z"/><path fill="none" stroke="#6d2a7c" stroke-width="5" stroke-linecap="round" d="M-22 10L-58 4M-22 20L-56 30M22 10L58 4M22 20L56 30"/><rect fill="#b45fc4" x="-17" y="-6" width="34" height="40" rx="14"/>`,
    scarf: `<path fill="#d9682e" d="M-86-26C-50 6 50 6 86-26C98-4 96 14 84 24C44 50-44 50-84 24C-96 14-98-4-86-26Z"/><path fill="#c2551f" d="M30 34C54 30 72 28 82 24C84 70 92 110 98 136L48 144C44 104 38 66 30 34Z"/><path fill="none" stroke="#f7d9a8" stroke-width="8" d="M-58 4C-58 18-56 26-54 36M-22 14C-22 28-21 36-20 42M18 14C18 28 18 34 19 42M52 6C56 18 56 26 56 34M38 74L88 68M43 108L94 102"/><path stroke="#c2551f" stroke-width="6" stroke-linecap="round" d="M54 144V158M68 142V158M82 140V154M95 137V150"/>`,
}
const torso = "M300 316C250 318 216 366 190 432C166 500 150 548 160 566C240 588 360 588 440 566C450 548 434 500 410 432C384 366 350 318 300 316Z"
const coats = {
    raincoat: { front: `<path fill="#f0bf34" d="${torso}"/><path fill="#d9a11f" d="M160 566C240 588 360 588 440 566L436 546C360 566 240 566 164 546Z"/><path fill="#f7d46a" d="M222 352C250 326 350 326 378 352C360 384 332 396 300 398C268 396 240 384 222 352Z"/><path fill="none" stroke="#c58d14" stroke-width="5" d="M300 398V576"/><g fill="#fff7dc"><circle cx="318" cy="432" r="8"/><circle cx="318" cy="480" r="8"/><circle cx="318" cy="528" r="8"/></g><path fill="none" stroke="#c58d14" stroke-width="6" stroke-linecap="round" d="M208 500H256M344 500H392"/>` },
    cape: {
        back: `<path fill="#7a2340" d="M232 332C170 396 120 500 104 576C170 592 430 592 496 576C480 500 430 396 368 332Z"/><path fill="#a83258" d="M232 332C190 400 160 500 150 584C130 582 116 580 104 576C120 500 170 396 232 332ZM368 332C410 400 440 500 450 584C470 582 484 580 496 576C480 500 430 396 368 332Z"/>`,
        front: `<path fill="#a83258" d="M226 350C252 322 348 322 374 350C352 372 326 380 300 380C274 380 248 372 226 350Z"/><circle fill="#f2b632" cx="300" cy="374" r="15"/>`,
    },
}
const plain = {
    hat: `<path fill="#5b7bb8" d="M-84-72C-84-150 84-150 84-72C30-88-30-88-84-72Z"/><path fill="#455f92" d="M-118-64C-60-94 60-94 118-64C60-72-60-72-118-64Z"/>`,
    glasses: `<g fill="rgb(200 220 220 / 0.3)" stroke="#455f92" stroke-width="8"><rect x="-96" y="-32" width="80" height="62" rx="18"/><rect x="16" y="-32" width="80" height="62" rx="18"/><path d="M-16-4H16"/></g>`,
    neck: `<path fill="#455f92" d="M-72-16C-40 8 40 8 72-16L76 6C44 34-44 34-76 6Z"/><circle fill="#d9e2f2" cy="30" r="13"/>`,
    coat: { front: `<path fill="#5b7bb8" d="${torso}"/><path fill="none" stroke="#455f92" stroke-width="6" d="M300 340V576"/>` },
}

const known = { hat: hats, glasses, neck: necks, coat: coats }

/** Of a category: its drawing, or one that stands for it. Empty for nothing. */
export function garment(category, id) {
    if (!id || !(category in known)) return category === "coat" ? {} : ""
    return known[category][id] ?? plain[category]
}

/** Markup of all that a pet wears on itself. `items` are ids by category. */
export function worn(items) {
    const coat = garment("coat", items.coat)
    return { hat: garment("hat", items.hat), glasses: garment("glasses", items.glasses), neck: garment("neck", items.neck),
             coat: coat.front ?? "", coatBack: coat.back ?? "" }
}
