import ArgumentParser

// Options whose value may begin with a hyphen; those of a list may be repeated.

extension Option where Value: ExpressibleByArgument {
  package init(
    wrappedValue: Value, _ help: String, _ valueName: String? = nil,
    name: NameSpecification = .long, more: String? = nil, isHidden: Bool = false,
    completion: CompletionKind? = nil
  ) {
    self.init(
      wrappedValue: wrappedValue, name: name, parsing: .unconditional,
      help: .of(help, valueName, more, isHidden), completion: completion)
  }

  package init(
    _ help: String, _ valueName: String? = nil, name: NameSpecification = .long,
    more: String? = nil,
    completion: CompletionKind? = nil
  ) {
    self.init(
      name: name, parsing: .unconditional, help: .of(help, valueName, more, false),
      completion: completion)
  }
}

extension Option {
  package init<T: ExpressibleByArgument>(
    _ help: String, _ valueName: String? = nil, name: NameSpecification = .long,
    more: String? = nil,
    isHidden: Bool = false, completion: CompletionKind? = nil
  ) where Value == T? {
    self.init(
      name: name, parsing: .unconditional, help: .of(help, valueName, more, isHidden),
      completion: completion)
  }

  package init<T: ExpressibleByArgument>(
    wrappedValue: [T], _ help: String, _ valueName: String, name: NameSpecification = .long,
    more: String? = nil, completion: CompletionKind? = nil
  ) where Value == [T] {
    self.init(
      wrappedValue: wrappedValue, name: name, parsing: .unconditionalSingleValue,
      help: .of(help, valueName, more, false), completion: completion)
  }
}

extension ArgumentHelp {
  fileprivate static func of(
    _ help: String, _ valueName: String?, _ more: String?, _ isHidden: Bool
  ) -> ArgumentHelp {
    ArgumentHelp(
      help, discussion: more, valueName: valueName, visibility: isHidden ? .hidden : .default)
  }
}

/// Throws a usage error unless a condition holds.
package func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
  guard condition else { throw ValidationError(sentence()) }
}
