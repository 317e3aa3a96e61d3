/// The way of one element from one layout to another.
public struct AnimationTrack: Equatable, Sendable {
  /// Which element it is in the layout before; nil where it appears.
  public let before: ElementIdentity?
  /// Which element it is in the layout after; nil where it disappears.
  public let after: ElementIdentity?
  /// Where it starts.
  public let from: Element
  /// Where it ends.
  public let to: Element

  /// The way of an element that has these identities in the two layouts.
  public init(before: ElementIdentity?, after: ElementIdentity?, from: Element, to: Element) {
    self.before = before
    self.after = after
    self.from = from
    self.to = to
  }

  /// Which element it is on the way: the one after, or the one before where it disappears.
  public var identity: ElementIdentity { after ?? before ?? to.identity }

  /// The way back.
  public var reversed: AnimationTrack {
    AnimationTrack(before: after, after: before, from: to, to: from)
  }

  /// The element on its way.
  ///
  /// - Parameters:
  ///   - progress: 0 (`from`, to the bit) ... 1 (`to`, to the bit); what lies outside counts as the
  ///     nearer end, NaN as 0.
  ///   - attributes: what the engine declares of its own attributes, in their order in `from` and
  ///     `to`; one that is declared by neither steps.
  public func element(at progress: Double, attributes: [AttributeDescription]) -> Element {
    var element = progress >= 1 ? to : from
    if progress > 0, progress < 1 {
      element = from.interpolated(to: to, progress, attributes: attributes)
    }
    element.identity = identity
    return element
  }
}
