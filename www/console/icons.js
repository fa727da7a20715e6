// Small drawings of the console.

import { drawing } from "../kit/elements.js"

const shapes = {
    now: `<path d="M3 12.500H7L10 5L14 19.500L17 12.500H21"/>`,
    doing: `<path d="M6 4V9M6 15V20M12 4V6.500M12 12.500V20M18 4V13M18 19V20"/><circle cx="6" cy="12" r="2.600"/><circle cx="12" cy="9.500" r="2.600"/><circle cx="18" cy="16" r="2.600"/>`,
    sessions: `<path d="M4 12.500V11.500M8 16V8M12 19.500V4.500M16 15V9M20 12.500V11.500"/>`,
    venue: `<rect x="3.500" y="5" width="17" height="15.500" rx="2.500"/><path d="M3.500 10H20.500M8 2.500V6.500M16 2.500V6.500M8 14.500H11.500"/>`,
    devices: `<rect x="3" y="3.500" width="12" height="17" rx="2.500"/><path d="M8.500 17H9.500M18.500 8.500V15.500M21.500 10.500V13.500"/>`,
    configuration: `<path d="M4 7H20M4 17H20"/><circle cx="9" cy="7" r="2.6"/><circle cx="15" cy="17" r="2.6"/>`,
    flags: `<rect x="2.500" y="6" width="19" height="12" rx="6"/><circle cx="15.500" cy="12" r="3"/>`,
    ledger: `<path d="M5 3.500H19V20.500H5ZM9 8H15M9 12H15M9 16H12.500"/>`,
    support: `<path d="M12 20.500C5 15.500 3 12 3 8.700C3 5.800 5.200 4 7.500 4C9.400 4 11 5 12 6.700C13 5 14.600 4 16.500 4C18.800 4 21 5.800 21 8.700C21 12 19 15.500 12 20.500Z"/>`,
    log: `<path d="M4 5H4.100M4 12H4.100M4 19H4.100M8.500 5H20M8.500 12H17M8.500 19H19"/>`,
    done: `<path d="M5 12.500L10 17.500L19.500 7"/>`,
    wrong: `<path d="M12 4V13.500M12 18.500V18.600"/>`,
    back: `<path d="M9 6L4 11L9 16M4 11H14C18 11 20 13.500 20 18"/>`,
    plus: `<path d="M12 5V19M5 12H19"/>`,
    save: `<path d="M12 4V15M7 10.500L12 15.500L17 10.500M5 20H19"/>`,
}

export const icon = name => drawing(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shapes[name]}</svg>`)
