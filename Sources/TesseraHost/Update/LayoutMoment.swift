import TesseraGeometry

/// All of a layout at one moment, at rest or on its way: where an animation starts or ends.
public struct LayoutMoment: Sendable {
  /// The elements, each with its values of `attributes`.
  public let elements: [Element]
  /// What the elements' attributes are.
  public let attributes: [AttributeDescription]
  /// The content's extent in points.
  public let contentSize: Size
  /// Where the viewport is scrolled to, in points of the content.
  public let offset: Point

  /// A layout by its elements, in any order.
  public init(
    elements: [Element], attributes: [AttributeDescription] = [], contentSize: Size,
    offset: Point = .zero
  ) {
    self.elements = elements
    self.attributes = attributes
    self.contentSize = contentSize
    self.offset = offset
  }

  /// A layout as a session answered; copies the elements.
  public init(elements: Elements, contentSize: Size, offset: Point = .zero) {
    self.init(
      elements: Array(elements), attributes: elements.attributes, contentSize: contentSize,
      offset: offset)
  }
}
