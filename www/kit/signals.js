// Who wants to know of something says so by a name.
export class Signals {
    #listeners = new Map()

    on(name, listener) {
        this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener])
    }

    emit(name, detail) {
        for (const listener of this.#listeners.get(name) ?? []) listener(detail)
    }
}
