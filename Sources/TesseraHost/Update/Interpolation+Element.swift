extension Element {
  /// The element that lies at a part of the way to another, the part above 0 and below 1.
  ///
  /// Frame and alpha go in proportion, the transform as `Transform.interpolated`; z index and
  /// visibility are the new ones.
  func interpolated(
    to other: Element, _ part: Double, attributes descriptions: [AttributeDescription]
  ) -> Element {
    var result = other
    result.frame = frame.interpolated(to: other.frame, part)
    result.alpha = alpha.interpolated(to: other.alpha, part)
    result.transform = transform.interpolated(to: other.transform, part)
    for index in result.attributes.indices where attributes.indices.contains(index) {
      guard descriptions.indices.contains(index) else { continue }
      result.attributes[index] = attributes[index].interpolated(
        to: other.attributes[index], part, as: descriptions[index].interpolation)
    }
    return result
  }
}
