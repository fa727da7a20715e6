// Text that stands for something else.
extension Fields {
    /// Returns what `parse` makes of the text in field `name`. Whatever is wrong, the fault says `expected`: what the text stands for.
    /// `example` is a text that `parse` takes; it stands in for a wrong one while further faults are looked for.
    public func parsed<Value>(_ name: String, like example: String? = nil, expected: String, _ parse: (String) -> Value?) throws -> Value {
        if let example, hasStandIn(name), let value = parse(example) { return value }
        let text: String
        do {
            text = try self.text(name)
        } catch let fault as Fault {
            throw Fault(field: fault.field, expected: expected, found: fault.found)
        }
        guard let value = parse(text) else { throw fault(name, expected, found: "\"\(text)\"") }
        return value
    }
}
