import TesseraSDK

extension Flow {
  func estimate(_ input: Input) -> Size? {
    estimatedItemSize == .zero ? nil : estimatedItemSize
  }

  func proposal(forSection section: Int, _ input: Input) -> Size {
    switch scrollDirection {
    case .vertical: Size(width: room(inSection: section, along: Vertical.self, input), height: 0)
    case .horizontal:
      Size(width: 0, height: room(inSection: section, along: Horizontal.self, input))
    }
  }

  /// How long lines may be; 0 where that makes no sense, which prepare tells.
  private func room<Axis: ScrollAxis>(
    inSection section: Int, along axis: Axis.Type, _ input: Input
  ) -> Double {
    guard let style = try? style(ofSection: section, along: axis, input),
      style.available.isFinite
    else { return 0 }
    return max(0, style.available)
  }
}
