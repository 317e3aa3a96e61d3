import TesseraGeometry

extension Transform {
  /// The transform that lies at a part 0...1 of the way to another, exact at both ends.
  ///
  /// Both are taken apart into translation, perspective, scale, skew and rotation, and the parts go
  /// by themselves: rotations by the shorter arc at constant speed, all else in proportion. A
  /// matrix that cannot be taken apart, as its scale is 0 along some direction or as it puts its
  /// own origin behind the viewer, has no rotation to follow: then the sixteen numbers go in
  /// proportion.
  func interpolated(to other: Transform, _ part: Double) -> Transform {
    if self == other || part >= 1 { return other }
    if part <= 0 { return self }
    if let from = TransformDecomposition(self), let to = TransformDecomposition(other) {
      let between = from.interpolated(to: to, part).transform
      if between.isFinite { return between }
    }
    let numbers = zip(elements, other.elements).map { $0.interpolated(to: $1, part) }
    return Transform(elements: numbers) ?? other
  }
}

extension TransformDecomposition {
  fileprivate func interpolated(
    to other: TransformDecomposition, _ part: Double
  ) -> TransformDecomposition {
    var result = self
    result.translation += (other.translation - translation) * part
    result.perspective += (other.perspective - perspective) * part
    result.scale += (other.scale - scale) * part
    result.skew += (other.skew - skew) * part
    result.weight += (other.weight - weight) * part
    result.rotation = rotation.turned(to: other.rotation, part)
    return result
  }
}
