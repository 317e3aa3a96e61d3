import TesseraGeometry

extension Picture {
  /// The part of the content that is drawn, in points; both sides above 0.
  ///
  /// With all content it reaches as far as the elements overhang, though not more than half the
  /// content's own extent, so that one stray element cannot make all others tiny.
  func region(of survey: Survey) -> Rect {
    var region: Rect
    switch extent {
    case .viewport: region = viewport
    case .rect(let rect): region = rect
    case .content:
      region = scrollableRect
      region.formUnion(viewport)
      let reach = Rect(
        x: region.x - region.width / 2, y: region.y - region.height / 2,
        width: region.width * 2, height: region.height * 2)
      if let overhang = survey.bounds?.clipped(to: reach) { region.formUnion(overhang) }
    }
    region.width = max(region.width, 1)
    region.height = max(region.height, 1)
    return region
  }
}
