extension String {
    /// A remark may hold control characters, line breaks among them: spaces in their place.
    var oneLine: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(scalars)
    }
}
