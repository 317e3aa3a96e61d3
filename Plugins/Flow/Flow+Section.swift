import TesseraSDK

extension Flow {
  /// What the values of a section come to along an axis.
  ///
  /// - Throws: A value that makes no sense.
  func style<Axis: ScrollAxis>(
    ofSection section: Int, along axis: Axis.Type, _ input: Input
  ) throws(LayoutFailure) -> SectionStyle {
    let (inset, reference) = (insets[section], referenceInsets(input))
    let (line, interitem) = (lineSpacings[section], interitemSpacings[section])
    try check(inset.isFinite, "sectionInset", section, describe(inset), "have finite edges")
    try check(line.isFinite, "minimumLineSpacing", section, describe(line), "be finite")
    try check(
      interitem.isFinite, "minimumInteritemSpacing", section, describe(interitem), "be finite")
    try check(headerSizes[section], "headerReferenceSize", section)
    try check(footerSizes[section], "footerReferenceSize", section)
    let leadingCross = Axis.leadingCross(reference) + Axis.leadingCross(inset)
    return SectionStyle(
      leadingMain: Axis.leadingMain(inset), trailingMain: Axis.trailingMain(inset),
      leadingCross: leadingCross,
      available: Axis.cross(input.extent) - Axis.leadingCross(reference)
        - Axis.trailingCross(reference) - Axis.leadingCross(inset) - Axis.trailingCross(inset),
      lineSpacing: line, interitemSpacing: interitem, grid: PixelGrid(scale: input.scale))
  }

  /// What all lines depend on beside the data and the parameters.
  func basis<Axis: ScrollAxis>(along axis: Axis.Type, _ input: Input) -> Trail.Basis {
    let reference = referenceInsets(input)
    return Trail.Basis(
      cross: Axis.cross(input.extent), leadingCross: Axis.leadingCross(reference),
      trailingCross: Axis.trailingCross(reference), scale: input.scale)
  }

  private func referenceInsets(_ input: Input) -> Insets {
    switch sectionInsetReference {
    case .contentInset: .zero
    case .safeArea: input.insideContent(input.safeArea)
    case .layoutMargins: input.insideContent(input.layoutMargins)
    }
  }

  private func check(_ size: Size, _ name: String, _ section: Int) throws(LayoutFailure) {
    try check(
      size.isFinite && size.width >= 0 && size.height >= 0, name, section, describe(size),
      "have a width and a height that are finite and not negative")
  }

  private func check(
    _ isSound: Bool, _ name: String, _ section: Int, _ found: @autoclosure () -> String,
    _ expected: String
  ) throws(LayoutFailure) {
    guard isSound else {
      throw .invalidValue("\(name) of section \(section) is \(found()); it must \(expected)")
    }
  }
}

/// What the values of a section come to along the scroll axis (main) and across it (cross).
struct SectionStyle {
  let leadingMain, trailingMain: Double
  /// Where lines begin.
  let leadingCross: Double
  /// How long lines may be; negative where insets leave nothing.
  let available: Double
  let lineSpacing, interitemSpacing: Double
  let grid: PixelGrid
}
