extension OutputBytes {
  /// Appends an element as an object, without what is as it is by default.
  mutating func append(_ element: Element, attributes: [AttributeDescription]) {
    append("{" as StaticString)
    appendMembers(of: element.identity)
    append("," as StaticString)
    appendMembers(of: element, attributes: attributes)
    append("}" as StaticString)
  }

  /// Appends who an element is, without the braces.
  mutating func appendMembers(of identity: ElementIdentity) {
    append("\"category\":\"" as StaticString)
    append(identity.category.name)
    if let kind = identity.kind {
      append("\",\"kind\":" as StaticString)
      append(json: kind)
    } else {
      append("\"" as StaticString)
    }
    append(",\"section\":" as StaticString)
    append(Int64(identity.section))
    append(",\"item\":" as StaticString)
    append(Int64(identity.item))
  }

  /// Appends where an element goes and how it looks there, without the braces.
  mutating func appendMembers(of element: Element, attributes: [AttributeDescription]) {
    let frame = element.frame
    append("\"frame\":" as StaticString)
    append(list: [frame.x, frame.y, frame.width, frame.height])
    if element.zIndex != 0 {
      append(",\"zIndex\":" as StaticString)
      append(Int64(element.zIndex))
    }
    if element.alpha != 1 {
      append(",\"alpha\":" as StaticString)
      append(element.alpha)
    }
    if element.isHidden { append(",\"hidden\":true" as StaticString) }
    if element.transform != .identity {
      append(",\"transform3D\":" as StaticString)
      append(list: element.transform.elements)
    }
    if !element.attributes.isEmpty { append(element.attributes, attributes) }
  }

  private mutating func append(_ values: [Value], _ attributes: [AttributeDescription]) {
    append(",\"attributes\":{" as StaticString)
    for (index, (attribute, value)) in zip(attributes, values).enumerated() {
      if index > 0 { append("," as StaticString) }
      append(json: attribute.name)
      append(":" as StaticString)
      switch value {
      case .bool(let value): append(value)
      case .integer(let value): append(value)
      case .number(let value): append(value)
      case .choice(let name): append(json: name)
      case .point, .size, .rect, .insets: append(list: value.numbers)
      }
    }
    append("}" as StaticString)
  }
}
