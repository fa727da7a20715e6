// Colours as people see them: OKLCH, by Björn Ottosson (https://bottosson.github.io/posts/oklab/).

/** Red, green and blue, 0 to 1, of `#rrggbb`. */
export const fromHex = hex => [1, 3, 5].map(place => parseInt(hex.slice(place, place + 2), 16) / 255)

export const toHex = rgb => "#" + rgb.map(part => Math.round(255 * within(part)).toString(16).padStart(2, "0")).join("")

/** Lightness 0 to 1, chroma, and hue in degrees. */
export function toOKLCH(rgb) {
    const [r, g, b] = rgb.map(toLinear)
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    const light = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
    const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
    const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
    return [light, Math.hypot(a, c), (Math.atan2(c, a) * 180 / Math.PI + 360) % 360]
}

/** Red, green and blue. What a screen cannot show is made paler until it can. */
export function fromOKLCH([light, chroma, hue]) {
    let [least, most] = [0, chroma]
    let rgb = convert(light, chroma, hue)
    if (isShowable(rgb)) return rgb.map(within)
    for (let step = 0; step < 12; step++) {
        const middle = (least + most) / 2
        rgb = convert(light, middle, hue)
        if (isShowable(rgb)) least = middle
        else most = middle
    }
    return convert(light, least, hue).map(within)
}

/** Between two colours, `part` of the way, along the shorter arc of hue, so that no grey lies between. A grey has no hue of its own. */
export function mix(a, b, part) {
    const [from, to] = [toOKLCH(a), toOKLCH(b)]
    const gray = 0.02
    const startHue = from[1] < gray ? to[2] : from[2]
    const endHue = to[1] < gray ? from[2] : to[2]
    const turn = ((endHue - startHue + 540) % 360) - 180
    return fromOKLCH([from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, startHue + turn * part])
}

/** WCAG's, 0 to 1. */
export function luminance(rgb) {
    const [r, g, b] = rgb.map(toLinear)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Black or white, whichever is read better on it: at least 4.5 to 1 on any colour. */
export const inkOn = rgb => ((luminance(rgb) + 0.05) / 0.05 > 1.05 / (luminance(rgb) + 0.05) ? "#000000" : "#ffffff")

/** `ink` as it is seen on `ground`: its lightness by OKLab differs by 0.18 at least, and where it does not it is made lighter or darker until
 *  it does, whichever is nearer and possible. */
export function seenOn(ground, ink) {
    const [base] = toOKLCH(ground)
    const [light, chroma, hue] = toOKLCH(ink)
    if (Math.abs(light - base) >= leastStep) return ink
    const step = leastStep + 0.005 // for what rounding takes
    const wanted = light >= base ? base + step : base - step
    // So near to black, what a screen shows goes by leaps.
    return fromOKLCH([wanted > 1 ? base - step : wanted < 0.1 ? base + step : wanted, chroma, hue])
}

/** The strongest of these colours, as strong as a screen can show it. */
export function hotter(colors) {
    const [light, , hue] = colors.map(color => toOKLCH(fromHex(color))).reduce((a, b) => (b[1] > a[1] ? b : a))
    return toHex(fromOKLCH([Math.min(0.72, Math.max(0.5, light - 0.04)), 0.37, hue]))
}

const leastStep = 0.18

const toLinear = part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const toGamma = part => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)
const within = part => Math.min(1, Math.max(0, part))
const isShowable = rgb => rgb.every(part => part > -0.0005 && part < 1.0005)

function convert(light, chroma, hue) {
    const [a, b] = [chroma * Math.cos(hue * Math.PI / 180), chroma * Math.sin(hue * Math.PI / 180)]
    const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
    return [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ].map(part => (part <= 0 ? part : toGamma(part)))
}
