// Places that are scattered evenly and without a pattern: blue noise, by Bridson, "Fast Poisson Disk Sampling in Arbitrary Dimensions"
// (2007). The same seed gives the same places.

const tries = 24

/** Numbers of 0 to 1 that follow from a text: FNV-1a, and then mulberry32. */
export function dice(text) {
    let state = 0x811c9dc5
    for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 0x01000193)
    return () => {
        state = (state + 0x6d2b79f5) | 0
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    }
}

/** Places `[x, y]` of a rectangle, no two closer than `distance`, and none missing that would still have room for long. */
export function scatter(width, height, distance, random) {
    const cell = distance / Math.SQRT2
    const columns = Math.ceil(width / cell)
    const grid = new Map()
    const key = (x, y) => Math.floor(y / cell) * columns + Math.floor(x / cell)
    const hasRoom = (x, y) => {
        const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)]
        for (let r = row - 2; r <= row + 2; r++) {
            for (let c = Math.max(0, column - 2); c <= Math.min(columns - 1, column + 2); c++) {
                const other = grid.get(r * columns + c)
                if (other && Math.hypot(other[0] - x, other[1] - y) < distance) return false
            }
        }
        return true
    }
    const places = [], active = []
    const add = place => {
        places.push(place)
        active.push(place)
        grid.set(key(...place), place)
    }
    add([random() * width, random() * height])
    while (active.length > 0) {
        const which = Math.floor(random() * active.length)
        const [x, y] = active[which]
        let isFound = false
        for (let attempt = 0; attempt < tries && !isFound; attempt++) {
            const angle = random() * 2 * Math.PI
            const reach = distance * (1 + random())
            const place = [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
            if (place[0] < 0 || place[0] >= width || place[1] < 0 || place[1] >= height || !hasRoom(...place)) continue
            add(place)
            isFound = true
        }
        if (!isFound) active.splice(which, 1)
    }
    return places
}
