import CTessera

/// A parameter of the base as a property of the derived layout, under the base's name for it.
///
/// ```swift
/// @Inherited var minimumInteritemSpacing: Double
/// @Inherited var itemSize = Size(width: 140, height: 140)
/// ```
///
/// Reading gives what the base would be given now. An initial value is what the parameter starts as
/// under this layout; the user may still set it. Assigning in prepare or stillValid overrides it: the
/// layout has the last word, until its next prepare.
///
/// What goes wrong, such as a name that the base does not have, is thrown when the base is prepared
/// or the call ends. Outside of a call from the host the property reads as its initial value, or
/// zero, and an assignment does nothing.
@propertyWrapper
public final class Inherited<Value: InheritableValue> {
  private let given: Value?
  private let isOwned: Bool
  private var name = ""
  private var link: BaseLink?

  private init(given: Value?, isOwned: Bool) {
    self.given = given
    self.isOwned = isOwned
  }

  /// A parameter that starts as the base says.
  public convenience init() {
    self.init(given: nil, isOwned: false)
  }

  /// A parameter that starts otherwise under this layout.
  ///
  /// - Parameter isOwned: Whether the user cannot set it through this layout.
  public convenience init(wrappedValue: Value, isOwned: Bool = false) {
    self.init(given: wrappedValue, isOwned: isOwned)
  }

  /// What the base would be given now.
  public var wrappedValue: Value {
    get { attempt { (base) throws(LayoutFailure) in try base.get(name) } ?? outside }
    set { attempt { (base) throws(LayoutFailure) in try base.set(name, to: newValue) } }
  }

  @discardableResult
  private func attempt<Result>(
    _ body: (Super) throws(LayoutFailure) -> Result
  ) -> Result? {
    guard let link, link.isInCall else { return nil }
    do {
      return try body(Super(link: link))
    } catch {
      link.record(error)
      return nil
    }
  }

  private var outside: Value {
    if let given { return given }
    return withUnsafeBytes(of: tessera_value()) { Value(stored: $0.load(as: Value.Stored.self)) }
  }
}

extension Inherited: DeclaredInheritance {
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
        name: permanentText(name), choice: nil, type: Value.contractType,
        owned: isOwned ? 1 : 0, value: tessera_value($0))
    }
  }
}

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
