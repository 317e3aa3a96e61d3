extension ParameterDescription {
  /// What is wrong with a value for this parameter, as the end of a sentence that starts with the
  /// parameter's name; nil if nothing is.
  func problem(with value: Value) -> String? {
    guard value.type == type else {
      return "is a \(value.type.name); expected a value of type \(type.name)"
    }
    if case .choice(let name) = value {
      return choices.contains(name)
        ? nil : "is \"\(name)\"; expected \(choices.joined(separator: ", "))"
    }
    let numbers = value.numbers
    guard numbers.allSatisfy(\.isFinite) else { return "is \(value); expected finite numbers" }
    for (index, number) in numbers.enumerated() where index < minimum.count {
      guard number >= minimum[index], number <= maximum[index] else {
        return "is \(value); expected \(expectation(component: index))"
      }
    }
    return nil
  }

  private func expectation(component index: Int) -> String {
    let subject = type.components.isEmpty ? "" : "\(type.components[index]) "
    let low = minimum[index].shortText
    let high = maximum[index].shortText
    return switch (minimum[index].isFinite, maximum[index].isFinite) {
    case (true, true): "\(subject)\(low) to \(high)"
    case (true, false): "\(subject)\(low) or more"
    default: "\(subject)\(high) or less"
    }
  }
}
