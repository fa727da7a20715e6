// Text that stands for something else.
extension Fields {
    /// What `parse` makes of the text in field `name`. Whatever is wrong, the fault says `expected`: what the text stands for.
    public func parsed<Value>(_ name: String, expected: String, _ parse: (String) -> Value?) throws -> Value {
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
