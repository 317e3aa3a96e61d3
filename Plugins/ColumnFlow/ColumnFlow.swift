import TesseraSDK

/// A list when narrow, a grid when wide.
final class ColumnFlow: PreparingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.column-flow", name: "Column Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "A list when narrow, as many equal columns as there is room for when wide.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = .mirrors
  static let laws: Laws = [.appends, .scales]

  enum InsetReference: String, Choice { case safeArea }

  @Parameter("The narrowest that a column may be.", unit: "pt", in: 1...) var minColumnWidth = 300.0
  @Parameter("Height of every cell.", unit: "pt", in: 0...) var cellHeight = 70.0

  @Inherited var minimumInteritemSpacing: Double
  @Inherited(isOwned: true) var itemSize = Size(width: 300, height: 70)
  @Inherited(isOwned: true) var estimatedItemSize = Size.zero
  @Inherited(isOwned: true) var sectionInset = Insets(top: 10)
  @InheritedChoice(isOwned: true) var sectionInsetReference: InsetReference? = .safeArea

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    let spacing = minimumInteritemSpacing
    itemSize = Size(width: cellWidth(spacing: spacing, input), height: cellHeight)
    sectionInset = Insets(top: spacing)
    sectionInsetReference = .safeArea
    try input.super.prepare(into: output)
  }

  /// Fits all columns into the bounds and the base's line.
  private func cellWidth(spacing: Double, _ input: Input) -> Double {
    let margins = input.layoutMargins
    let available = max(0, input.bounds.width - margins.left - margins.right)
    let columns = max(1, (available / minColumnWidth).rounded(.down))
    let width = (available / columns).rounded(.down)
    let safeArea = input.insideContent(input.safeArea)
    let line = input.extent.width - safeArea.left - safeArea.right
    let gaps = (columns - 1) * spacing
    return columns * width + gaps <= line ? width : max(0, ((line - gaps) / columns).rounded(.down))
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(ColumnFlow.self, host: host)
}
