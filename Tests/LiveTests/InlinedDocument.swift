/// An OpenRPC document in which each reference is replaced with the schema that it names.
func inlined(_ document: [String: Any]) -> [String: Any] {
    let schemas = (document["components"] as? [String: Any])?["schemas"] as? [String: Any] ?? [:]
    func whole(_ part: Any) -> Any {
        switch part {
        case let list as [Any]: return list.map(whole)
        case let object as [String: Any]:
            if let name = (object["$ref"] as? String)?.split(separator: "/").last, let schema = schemas[String(name)] { return whole(schema) }
            return object.mapValues(whole)
        default: return part
        }
    }
    return document.mapValues(whole)
}
