public import CTessera

/// A parameter's or attribute's choice between names.
///
/// ```swift
/// enum Alignment: String, Choice { case top, center }
/// ```
public protocol Choice: LayoutValue, CaseIterable, RawRepresentable, Equatable
where RawValue == String, Stored == Int32, AllCases == [Self] {}

extension Choice {
  /// `TESSERA_ENUM`.
  public static var contractType: tessera_type { TESSERA_ENUM }

  /// The raw values, in the order of the cases.
  public static var choiceNames: [String] { allCases.map(\.rawValue) }

  /// The case at an index; the first where the index is out of range.
  @inlinable public init(stored: Int32) {
    let cases = Self.allCases
    self = cases.indices.contains(Int(stored)) ? cases[Int(stored)] : cases[0]
  }

  /// The index of the case.
  @inlinable public var stored: Int32 {
    Int32(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }
}
