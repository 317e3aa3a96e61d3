import CTessera

/// A parameter of the base as a property of the derived layout, under the same name.
///
/// ```swift
/// @Inherited var minimumInteritemSpacing: Double
/// @Inherited var itemSize = Size(width: 140, height: 140)
/// ```
///
/// Reading returns the base's current value. An initial value replaces the base's default.
/// Assigning, where `Super.set` is allowed, overrides even the user's value until the next prepare.
///
/// An error, such as an unknown name, is thrown when the base is prepared or the call ends. Outside
/// of a call, the property returns its initial value or zero, and assigning is a no-op.
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

  /// Creates a parameter with a different default.
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
/// Works as `@Inherited`, but cannot read the base's value, because the base may have choices
/// unknown here. The property returns the last value assigned here.
@propertyWrapper
public final class InheritedChoice<Value: Choice> {
  private let given: Value?
  private let isOwned: Bool
  var name = ""
  var link: BaseLink?
  private var last: Value?

  /// Creates a parameter with a different default; nil keeps the base's.
  ///
  /// - Parameter isOwned: Whether only this layout can set it, not the user.
  public init(wrappedValue: Value? = nil, isOwned: Bool = false) {
    given = wrappedValue
    last = wrappedValue
    self.isOwned = isOwned
  }

  /// The value last assigned here; assigning overrides, and nil is a no-op.
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
