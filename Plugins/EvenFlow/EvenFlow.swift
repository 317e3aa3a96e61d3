import TesseraSDK

/// Items spread evenly over each line, a binder behind each section.
final class EvenFlow: PreparingLayout, UpdatingLayout {
  static let identity = EngineIdentity(
    id: "org.tessera.even-flow", name: "Even Flow", version: "0.1.0",
    author: "The Tessera authors", license: "MIT",
    summary: "Items spread evenly over each line, with a binder behind each section.")
  static let base: BaseEngine? = BaseEngine("org.tessera.flow", from: "0.1.0")
  static let traits: Traits = [.mirrors, .appends]
  static let columns: BuiltInColumns = .zIndex

  /// Which way the content of the base scrolls.
  enum ScrollDirection: String, Choice { case vertical }

  @InheritedChoice(isOwned: true) var scrollDirection: ScrollDirection? = .vertical
  @Inherited var sectionInset = Insets(top: 30, left: 80, bottom: 30, right: 20)
  @Inherited var minimumLineSpacing = 20.0
  @Inherited var minimumInteritemSpacing = 20.0
  @Inherited var itemSize = Size(width: 200, height: 200)
  @Inherited var headerReferenceSize = Size(width: 60, height: 70)

  let header = Kind(.supplementary)
  let binder = Kind(.decoration)

  /// The sections of the new data that items are inserted into, while a batch is applied.
  var growingSections: Set<Int> = []

  func prepare(_ input: Input, into output: Output) throws(LayoutFailure) {
    scrollDirection = .vertical
    try input.super.prepare(into: output)
    let insets = try input.super.sectionValues("sectionInset", as: Insets.self)
    let (width, height) = (output.contentSize.width, output.contentSize.height)
    var lowest = height
    var binders: [Binder] = Array(repeating: Binder(), count: input.sectionCount)
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      if run.isKind(header), rows.count > 0 {
        binders[run.section].headerLength = rows.frame[0].height
      } else if run.category == .cell {
        let line = EvenLine(contentWidth: width, inset: insets[run.section], scale: input.scale)
        rows.frame.withMutableSpan { frames in
          lowest = max(lowest, line.spread(&frames))
          binders[run.section].measure(frames)
        }
      }
    }
    // Cells on whole points may reach further down than those of the base.
    if lowest > height { try output.setContentSize(Size(width: width, height: lowest)) }
    for section in binders.indices {
      guard let frame = binders[section].frame(width: width) else { continue }
      let rows = try output.add(.elements(binder, inSection: section))
      rows.frame[0] = frame
      rows.zIndex[0] = -1
    }
  }
}

/// Registers the engine of this library.
@c(tessera_register)
public func register(_ host: HostReference, _ registry: RegistryReference) -> Status {
  registry.add(EvenFlow.self, host: host)
}
