// A household's books: balances by account, every entry, and whether they add up. Nothing here can be changed.

import { element } from "../kit/elements.js"
import { readBook, table, verify } from "./book.js"
import { icon } from "./icons.js"
import { chooser } from "./households.js"
import { moment } from "./time.js"

const shown = 200 // entries, the newest; the table has all

export class Ledger {
    #household = null

    constructor(root, { engine, words, offer }) { Object.assign(this, { root, engine, words, offer }) }

    async show(isAsked = true) {
        // Books may be long: they are read when somebody asks for them.
        if (!isAsked) return
        const { engine, words } = this
        const { households, household } = await engine.ask("ledger.balances", this.#household === null ? {} : { household: this.#household })
        this.#household = household
        const count = element("p", { class: "quiet", role: "status" }, words.say("reading"))
        const body = element("div", { class: "book" }, count)
        this.root.replaceChildren(element("header", { class: "top" }, element("h1", {}, words.say("go-ledger")), chooser(words, household, households, chosen => { this.#household = chosen; return this.show() })), body)
        const book = await readBook(engine, household, entries => { count.textContent = words.say("entries", { count: entries }) })
        body.replaceChildren(...this.#book(book))
    }

    #book(book) {
        const { words } = this
        if (book.entries.length === 0) return [element("p", { class: "empty" }, words.say("noEntries"))]
        const { sums, faults } = verify(book)
        const figure = (amount, currency) => element("b", { "data-sign": String(Math.sign(amount)) }, words.number.format(amount), element("small", {}, ` ${currency}`))
        return [
            faults.length === 0 ? element("p", { class: "verdict good" }, icon("done"), words.say("addsUp", { count: book.entries.length, sums: sums.map(({ currency, sum }) => words.say("sum", { currency, sum })).join(", ") }))
                : element("p", { class: "verdict bad" }, icon("wrong"), words.say("addsUpNot", { what: faults.map(({ entry, account }) => entry ? words.say("entry", { number: String(entry) }) : account).join(", ") })),
            element("ul", { class: "accounts" }, book.told.balances.map(({ account, currency, amount }) => element("li", { "data-wallet": String(account.startsWith("wallet")) }, element("code", {}, account), figure(amount, currency)))),
            element("header", { class: "between" }, element("h2", {}, words.say("entries", { count: book.entries.length })), element("button", {
                type: "button", class: "do quiet", "data-do": "csv", disabled: faults.length > 0, onclick: () => this.offer(table(book), "text/csv", `ledger-${book.household}.csv`),
            }, icon("save"), words.say("csv"))),
            element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": words.say("entries", { count: book.entries.length }) }, element("table", { class: "entries" },
                element("thead", {}, element("tr", {}, ["number", "when", "kind", "postings", "key"].map(key => element("th", { scope: "col" }, words.say(`col-${key}`))))),
                element("tbody", {}, book.entries.slice(-shown).reverse().map(entry => element("tr", {}, element("td", { class: "number" }, element("code", {}, `${entry.number}`)), element("td", { class: "when" }, moment(words, entry.created)),
                    element("td", { class: "kind" }, words.entries[`entry: ${entry.kind}`] ?? entry.kind, note(entry)), element("td", { class: "moved" }, element("div", { class: "postings" }, entry.postings.map(({ account, currency, amount }) => element("span", {}, element("code", {}, account), " ", figure(amount, currency))))), element("td", { class: "key" }, element("code", {}, entry.key))))))),
            book.entries.length > shown ? element("p", { class: "quiet" }, words.say("onlyNewest", { count: shown })) : null,
        ].filter(part => part !== null)
    }
}

function note({ note }) {
    if (note === "null") return null
    const value = JSON.parse(note)
    return element("small", { class: "quiet" }, " " + (value?.item ?? JSON.stringify(value)))
}
