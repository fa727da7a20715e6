// Documents as trees: where a value is, and the same document with another one there. Paths are lists of names and places.

/** What is at `path`; undefined for nothing. */
export const at = (value, path) => path.reduce((part, key) => part?.[key], value)

/** A copy of `value` with `next` at `path`; without what is there when `next` is undefined. */
export function withValue(value, path, next) {
    if (path.length === 0) return next
    const [key, ...rest] = path
    if (Array.isArray(value)) {
        const copy = [...value]
        if (rest.length === 0 && next === undefined) copy.splice(key, 1)
        else copy[key] = withValue(copy[key], rest, next)
        return copy
    }
    const copy = { ...value }
    const changed = withValue(copy[key], rest, next)
    if (changed === undefined) delete copy[key]
    else copy[key] = changed
    return copy
}

/** All that is no object and no list, with its path, in the document's order. */
export function leaves(value, path = []) {
    if (value === null || typeof value !== "object") return [{ path, value }]
    return Object.entries(value).flatMap(([key, part]) => leaves(part, [...path, Array.isArray(value) ? Number(key) : key]))
}

/** Elements of a list by their `id`, for comparing with another list; by place where they have none. */
export function twin(list, element, place) {
    return element !== null && typeof element === "object" && "id" in element ? list?.find(other => other?.id === element.id) : list?.[place]
}

/** A value in one line. */
export const line = value => value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)
