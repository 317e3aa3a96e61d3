import TesseraSDK

extension EvenFlow {
  func begin(_ updates: [Update], _ input: Input) throws(LayoutFailure) {
    for update in updates {
      switch update {
      case .insertItem(let place): growingSections.insert(place.section)
      case .insertSection(let section): growingSections.insert(section)
      default: continue
      }
    }
  }

  /// Has binders come in from the left and cells from the right in sections that items are inserted
  /// into.
  func initialAttributes(_ input: Input, into output: Output) throws(LayoutFailure) {
    let width = output.contentSize.width
    for index in 0..<output.runCount {
      let (run, rows) = try output.get(index)
      guard growingSections.contains(run.section) else { continue }
      let isBinder = run.isKind(binder)
      guard isBinder || run.category == .cell else { continue }
      for row in 0..<rows.count {
        var start = Transform.identity
        start.m41 = isBinder ? -rows.frame[row].width : width
        rows.transform[row] = start
        rows.alpha[row] = isBinder ? 0 : 1
      }
    }
  }

  func end() { growingSections = [] }
}
