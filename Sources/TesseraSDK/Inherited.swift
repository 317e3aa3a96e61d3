import CTessera

/// A parameter of the base as a property of the derived layout, under the same name.
///
/// ```swift
/// @Inherited var minimumInteritemSpacing: Double
/// @Inherited var itemSize = Size(width: 140, height: 140)
/// ```
///
/// Reading returns the base's current value. An initial value replaces the base's default under
/// this layout; the user can still set it. Assigning where `Super.set` is allowed overrides it, also
/// over the user's value, until the next prepare.
///
/// An error, such as a name that the base does not have, is thrown when the base is prepared or
/// when the call ends. Outside of a call from the host the property returns its initial value, or
/// zero, and an assignment has no effect.
@propertyWrapper
public final class Inherited<Value: InheritableValue> {
  private let given: Value?
  private let isOwned: Bool
  var name = ""
  var link: BaseLink?

  private init(given: Value?, isOwned: Bool) {
    self.given = given
    self.isOwned = isOwned
  }

  /// Creates a parameter with the base's default.
  public convenience init() { self.init(given: nil, isOwned: false) }

  /// Creates a parameter with a different default under this layout.
  ///
  /// - Parameter isOwned: Whether only this layout can set it, not the user.
  public convenience init(wrappedValue: Value, isOwned: Bool = false) {
    self.init(given: wrappedValue, isOwned: isOwned)
  }

  /// The base's current value.
  public var wrappedValue: Value {
    get {
      guard let link, link.isInCall else { return outside }
      do {
        return try Super(link: link).get(name)
      } catch {
        link.record(error)
        return outside
      }
    }
    set {
      guard let link, link.isInCall else { return }
      do {
        try Super(link: link).set(name, to: newValue)
      } catch {
        link.record(error)
      }
    }
  }

  private var outside: Value {
    if let given { return given }
    return withUnsafeBytes(of: tessera_value()) { Value(stored: $0.load(as: Value.Stored.self)) }
  }
}

extension Inherited: DeclaredInheritance {
  var contractSetting: tessera_setting? {
    given.map {
      tessera_setting(
        name: permanentText(name), choice: nil, type: Value.contractType,
        owned: isOwned ? 1 : 0, value: tessera_value($0))
    }
  }
}

/// An enum parameter of the base as a property of the derived layout.
///
/// ```swift
/// @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .vertical
/// ```
///
/// Works as `@Inherited`, except that choices cross libraries by name only, and a layout may not
/// know all choices of its base: it cannot read the current value. The property returns the value
/// that this layout assigned last.
@propertyWrapper
public final class InheritedChoice<Value: Choice> {
  private let given: Value?
  private let isOwned: Bool
  var name = ""
  var link: BaseLink?
  private var last: Value?

  /// Creates a parameter with a different default under this layout, or the base's for nil.
  ///
  /// - Parameter isOwned: Whether only this layout can set it, not the user.
  public init(wrappedValue: Value? = nil, isOwned: Bool = false) {
    given = wrappedValue
    last = wrappedValue
    self.isOwned = isOwned
  }

  /// The value that this layout assigned last; assigning overrides, and nil has no effect.
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
  var contractSetting: tessera_setting? {
    given.map {
      tessera_setting(
        name: permanentText(name), choice: permanentText($0.rawValue), type: TESSERA_TYPE_ENUM,
        owned: isOwned ? 1 : 0, value: tessera_value())
    }
  }
}
