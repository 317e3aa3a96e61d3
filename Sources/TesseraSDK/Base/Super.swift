import CTessera
public import TesseraGeometry

/// The base of a derived layout, to configure and to call; valid for the call from the host.
///
/// What is overridden holds until the next prepare. Each of two engines of a chain may override the
/// same thing: the one nearer to the engine that declares it has the last word.
public struct Super {
  let link: BaseLink

  /// Has the base place its elements; they are in `output` afterwards, to be edited and added to.
  ///
  /// Only in prepare. A second call drops the rows of the first.
  ///
  /// - Throws: The base's failure, and what went wrong with an `@Inherited` property before.
  public func prepare(into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.prepare($0, output.pointer) }
  }

  /// Has the base re-shape what a query is about to return; only in adjust.
  ///
  /// - Throws: The base's failure.
  public func adjust(rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.adjust($0, tessera_rect(rect), output.pointer) }
  }

  /// Has a lazy base add at least the elements that meet `rect`; only in `elementsInRect`.
  ///
  /// - Throws: The base's failure.
  public func elementsInRect(_ rect: Rect, into output: Output) throws(LayoutFailure) {
    try link.call { $0.pointee.elements_in_rect($0, tessera_rect(rect), output.pointer) }
  }

  /// Has a lazy base add the one element of `run`, if there is one; only in `element`.
  ///
  /// - Throws: The base's failure.
  public func element(_ run: Run, into output: Output) throws(LayoutFailure) {
    guard var contractRun = run.contractRun else { return }
    try link.call { $0.pointee.element($0, &contractRun, output.pointer) }
  }

  /// Whether what the base prepared still holds; only in `stillValid`, after what the layout
  /// overrides.
  public func stillValid() -> Bool {
    guard let base = try? link.reference() else { return false }
    return base.pointee.still_valid(base) == 1
  }
}
