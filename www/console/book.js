// A household's entries added up, and as a table (RFC 4180), in the columns of `thrum ledger export`.

const columns = ["number", "time", "household", "key", "kind", "account", "currency", "amount", "note"]

/** All entries of a household and what the engine says that they come to, asked for part by part. */
export async function readBook(engine, household, progress = () => {}) {
    const entries = []
    for (;;) {
        const after = entries.at(-1)?.number ?? 0
        const part = await engine.ask("ledger.entries", { household, after, limit: 1000 })
        entries.push(...part.entries)
        progress(entries.length)
        if (part.entries.length === 0) return { household, entries, told: await engine.ask("ledger.balances", { household, upTo: after }) }
    }
}

/** What the entries come to by account, what each currency sums to, and what does not add up; no faults when all does. */
export function verify({ entries, told }) {
    const accounts = new Map(), sums = new Map(), faults = []
    for (const entry of entries) {
        const totals = new Map()
        for (const { account, currency, amount } of entry.postings) {
            add(totals, currency, amount)
            add(sums, currency, amount)
            add(accounts, `${account} ${currency}`, amount)
        }
        if ([...totals.values()].some(total => total !== 0)) faults.push({ entry: entry.number })
    }
    for (const { account, currency, amount } of told.balances) {
        if ((accounts.get(`${account} ${currency}`) ?? 0) !== amount) faults.push({ account })
        accounts.delete(`${account} ${currency}`)
    }
    for (const missing of accounts.keys()) faults.push({ account: missing.split(" ")[0] })
    return { sums: [...sums].map(([currency, sum]) => ({ currency, sum })), faults }
}

function add(map, key, amount) { map.set(key, (map.get(key) ?? 0) + amount) }

export function table({ household, entries }) {
    const rows = entries.flatMap(entry => {
        const start = [entry.number, moment(entry.created), household, entry.key, entry.kind]
        const note = entry.note === "null" ? "" : entry.note
        return entry.postings.length === 0 ? [[...start, "", "", "", note]]
            : entry.postings.map(({ account, currency, amount }) => [...start, account, currency, amount, note])
    })
    return [columns, ...rows].map(row => row.map(field).join(",") + "\r\n").join("")
}

const moment = seconds => new Date(seconds * 1000).toISOString().replace(".000", "")

/** As `CSV.text` of the engine: text that a spreadsheet would run gets an apostrophe in front. */
function field(value) {
    const text = typeof value === "string" ? value.replace(/^(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/, "'") : String(value)
    return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
