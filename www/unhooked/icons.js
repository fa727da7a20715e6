// Small drawings: both currencies, the views, and food.

import { drawing } from "../kit/elements.js"

const shapes = {
    energy: `<path d="M14 1L4 14H11L9 23L20 9H13Z"/>`,
    gems: `<path d="M6 3H18L23 9.5L12 22L1 9.5Z"/><path class="facet" d="M6 3L8.5 9.5L12 22L15.5 9.5L18 3M1 9.5H23"/>`,
    home: `<path d="M12 2.5L22 11H19V21H14V15H10V21H5V11H2Z"/>`,
    food: `<path d="M2 12H22C21.6 16.5 19.6 19.6 17 21H7C4.400 19.6 2.400 16.500 2 12ZM6 10C6 6 9 4 12 4C15 4 18 6 18 10Z"/>`,
    wardrobe: `<path d="M8 2C9 4.500 15 4.500 16 2L22 6L19.500 11L17 10V22H7V10L4.500 11L2 6Z"/>`,
    memories: `<path fill-rule="evenodd" d="M3 3H21V21H3ZM6 6V18H18V6ZM8 16L11 11L13 14L14.500 12L16.500 16Z"/>`,
    settings: `<path d="M3 5.500H12V3H16V5.500H21V8.500H16V11H12V8.500H3ZM3 15.500H6V13H10V15.500H21V18.500H10V21H6V18.500H3Z"/>`,
    gift: `<path d="M3 9H21V13H3ZM4.500 14.500H11V22H4.500ZM13 14.500H19.500V22H13ZM12 8C8 8 5 6 6.500 3.500C8 1.500 11 3.500 12 8C13 3.500 16 1.500 17.500 3.500C19 6 16 8 12 8Z"/>`,
    heart: `<path d="M12 21C4 15 1.500 11 1.500 7.500C1.500 4 4 2 7 2C9.200 2 11 3.200 12 5C13 3.200 14.800 2 17 2C20 2 22.500 4 22.500 7.500C22.500 11 20 15 12 21Z"/>`,
    growth: `<path d="M11 22V13C5 13 2 9.500 2 4C8 4 11 7 11.500 11C12 6 15.500 3 22 3C22 9 19 13 13 13V22Z"/>`,
    sun: `<circle cx="12" cy="12" r="5"/><path class="rays" d="M12 1.500V4.500M12 19.500V22.500M1.500 12H4.500M19.500 12H22.500M4.600 4.600L6.700 6.700M17.300 17.300L19.400 19.400M4.600 19.400L6.700 17.300M17.300 6.700L19.400 4.600"/>`,
    moon: `<path d="M15 2.5A10 10 0 1 0 21.500 16A8 8 0 0 1 15 2.500Z"/>`,
    picture: `<path fill-rule="evenodd" d="M2 4H22V20H2ZM5 7V17H19V7ZM7 15L11 10L13.500 13L15.500 11L18 15Z"/>`,
    flower: `<path d="M12 12C8 8 9 2 12 2C15 2 16 8 12 12C16 8 22 9 22 12C22 15 16 16 12 12C16 16 15 22 12 22C9 22 8 16 12 12C8 16 2 15 2 12C2 9 8 8 12 12Z"/>`,
    phone: `<path fill-rule="evenodd" d="M6 1.500H18C19 1.500 19.500 2 19.500 3V21C19.500 22 19 22.500 18 22.500H6C5 22.500 4.500 22 4.500 21V3C4.500 2 5 1.500 6 1.500ZM7 5V18H17V5Z"/>`,
    care: `<path d="M9 2H15V9H22V15H15V22H9V15H2V9H9Z"/>`,
}

export const icon = name => drawing(`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`)

const bowl = (inside, color = "#5b8fb0") => `${inside}<path fill="${color}" d="M8 54H92C90 76 80 88 68 90H32C20 88 10 76 8 54Z"/><path fill="rgb(255 255 255 / 0.22)" d="M8 54H92L91 61H9Z"/>`

const dishes = {
    kibble: bowl(`<g fill="#b06a35"><circle cx="28" cy="48" r="10"/><circle cx="46" cy="42" r="11"/><circle cx="66" cy="44" r="11"/><circle cx="78" cy="50" r="8"/><circle cx="56" cy="32" r="9"/></g><g fill="#8a4f25"><circle cx="36" cy="54" r="8"/><circle cx="58" cy="53" r="9"/></g>`),
    pate: `<ellipse cx="50" cy="74" rx="42" ry="12" fill="#e6dccb"/><path fill="#c07a58" d="M20 70C20 38 32 28 50 28C68 28 80 38 80 70C66 78 34 78 20 70Z"/><path fill="#a6623f" d="M22 58C38 66 62 66 78 58L80 70C66 78 34 78 20 70Z"/><path fill="#6fa85c" d="M50 28C44 16 54 10 62 14C62 22 58 28 50 28Z"/>`,
    broth: bowl(`<path fill="#e5b765" d="M12 54C20 44 80 44 88 54Z"/><path fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="5" stroke-linecap="round" d="M34 34C26 24 42 20 34 10M52 34C44 24 60 20 52 10M70 34C62 24 78 20 70 10"/>`, "#c2604a"),
    tuna: `<path fill="#6f9fc4" d="M6 50C22 26 52 24 70 44L92 28C88 44 88 58 92 74L70 58C52 78 22 76 6 50Z"/><path fill="#a8cbe2" d="M10 54C26 72 50 72 68 56C50 62 28 62 10 54Z"/><circle fill="#20303c" cx="25" cy="45" r="5"/><path fill="none" stroke="#49779b" stroke-width="4" stroke-linecap="round" d="M40 36C46 44 46 54 40 62"/>`,
    shrimp: `<path fill="none" stroke="#f08a6a" stroke-width="22" stroke-linecap="round" d="M70 26C34 16 16 46 36 66C48 76 64 74 70 64"/><path fill="none" stroke="#fbc4a6" stroke-width="5" stroke-linecap="round" d="M52 16L48 34M32 24L40 40M20 44L36 48M26 66L40 56M46 78L50 64"/><circle fill="#3c1d16" cx="72" cy="22" r="4"/><path fill="#e0684a" d="M70 64L92 58L86 72L92 84L68 76Z"/>`,
    cream: `<path fill="#f6f2ea" d="M28 26H64V20L80 12L76 30C80 40 82 52 82 62C82 82 74 90 48 90C24 90 16 82 16 62C16 48 20 34 28 26Z"/><path fill="#cfe0ee" d="M16 62C16 48 20 34 28 26H40C30 40 28 70 40 89C22 88 16 80 16 62Z"/><path fill="#fff" stroke="#e8dfce" stroke-width="3" d="M28 26C36 18 56 18 64 26C54 32 38 32 28 26Z"/>`,
    beef: `<path fill="#b84a48" d="M18 52C14 30 36 14 60 20C84 24 94 44 84 62C74 82 46 84 32 76C22 70 20 62 18 52Z"/><path fill="none" stroke="#f3d9c8" stroke-width="7" d="M18 52C14 30 36 14 60 20C84 24 94 44 84 62C74 82 46 84 32 76C22 70 20 62 18 52Z"/><circle fill="#f3e6da" cx="62" cy="44" r="11"/><path fill="none" stroke="#e6a59c" stroke-width="4" stroke-linecap="round" d="M34 46C40 40 44 40 48 44M38 62C46 58 54 62 58 66"/>`,
    bone: `<path fill="#f2e8d3" d="M24 42C10 36 14 18 28 24C32 10 50 18 44 32L68 56C82 50 90 68 76 72C82 86 64 90 58 76C56 68 58 66 56 66L34 44C32 44 30 44 24 42Z"/><path fill="none" stroke="#d4c3a0" stroke-width="4" stroke-linecap="round" d="M42 44L58 60"/>`,
    biscuit: `<path fill="#d49a52" d="M50 12L60 22L74 18L76 32L88 40L80 52L86 66L72 70L66 84L52 78L38 86L32 72L16 68L22 54L12 42L24 34L26 20L40 22Z"/><g fill="#a66f30"><circle cx="40" cy="42" r="5"/><circle cx="60" cy="40" r="5"/><circle cx="50" cy="60" r="5"/><circle cx="66" cy="58" r="4"/><circle cx="33" cy="58" r="4"/></g>`,
    feast: `<ellipse cx="50" cy="76" rx="46" ry="12" fill="#e6dccb"/><path fill="#c9803f" d="M18 70C14 44 34 26 56 30C80 34 88 56 78 72C62 80 34 80 18 70Z"/><path fill="#e0a363" d="M26 56C30 42 44 36 54 38C44 42 36 50 34 60Z"/><path fill="#f2e8d3" d="M74 40L88 20C86 12 96 10 96 18C102 22 96 30 92 26L80 46Z"/><g fill="#6fa85c"><circle cx="20" cy="74" r="8"/><circle cx="82" cy="75" r="8"/></g><circle fill="#d9483b" cx="34" cy="78" r="6"/>`,
}

/** A dish; one that this page does not know is a bowl. */
export const dish = id => drawing(`<svg class="dish-icon" viewBox="0 0 100 100" aria-hidden="true">${dishes[id] ?? bowl(`<path fill="#c98d55" d="M16 54C22 30 78 30 84 54Z"/>`)}</svg>`)
