import CTessera

/// A parameter of the base that is a choice, as a property of the derived layout.
///
/// ```swift
/// @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .vertical
/// ```
///
/// As `@Inherited`, but choices cross libraries by name only, and a layout need not know all choices
/// of its base: what others chose cannot be read. The property reads as what this layout gave last.
@propertyWrapper
public final class InheritedChoice<Value: Choice> {
  private let given: Value?
  private let isOwned: Bool
  private var name = ""
  private var link: BaseLink?
  private var last: Value?

  /// A parameter that starts otherwise under this layout, or as the base says for nil.
  ///
  /// - Parameter isOwned: Whether the user cannot set it through this layout.
  public init(wrappedValue: Value? = nil, isOwned: Bool = false) {
    given = wrappedValue
    last = wrappedValue
    self.isOwned = isOwned
  }

  /// What this layout gave last; assigning overrides, except nil, which changes nothing.
  public var wrappedValue: Value? {
    get { last }
    set {
      guard let newValue, let link, link.isInCall else { return }
      do {
        try Super(link: link).set(name, to: newValue)
        last = newValue
      } catch {
        link.record(error)
      }
    }
  }
}

extension InheritedChoice: DeclaredInheritance {
  func declare(as name: String, in declarations: inout Declarations) {
    self.name = name
    declarations.inherited.append(self)
  }

  func bind(to link: BaseLink) {
    self.link = link
  }

  var contractSetting: tessera_setting? {
    given.map {
      tessera_setting(
        name: permanentText(name), choice: permanentText($0.rawValue), type: TESSERA_ENUM,
        owned: isOwned ? 1 : 0, value: tessera_value())
    }
  }
}
