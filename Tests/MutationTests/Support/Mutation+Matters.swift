extension Mutation {
  /// Whether the fault shows in a configuration at all: one in a header does not where there is none.
  func matters(in engine: Configuration) -> Bool {
    switch self {
    case .offInElement, .offInRect, .dropsInRect, .dropsInElement, .twiceInRect, .wrongInElement,
      .sharedCells:
      engine.isLazy
    case .wrongItem: !engine.isLazy
    case .dropsHeaderInRect: engine.isLazy && engine.has(.header)
    case .twiceHeader, .wrongSection, .wrongKind, .wrongCategory, .smallByHeader:
      engine.has(.header)
    case .offInAdjust: engine.has(.adjust)
    case .offWhenKept, .keepsForBounds: engine.has(.incremental)
    case .keepsForValues: engine.has(.incremental) && engine.has(.heights)
    case .keepsLine: engine.has(.incremental) && engine[.heights] == 1 && engine[.columns] != 1
    case .keepsForParameters: engine.has(.incremental) && engine.hasParametersBesideValues
    case .staleHeight, .sharedParameters: engine[.heights] == 0
    case .staleSpacing: engine.has(.spacing)
    case .staleValues: engine.has(.heights)
    case .staleInsets: engine.has(.insets)
    case .staleAnswers: engine.has(.delegate)
    case .staleScale, .unroundedDown, .roundsToHalves: engine.has(.aligned)
    case .unroundedAcross: engine.has(.aligned) && engine[.columns] != 1
    case .roundsHeadersNot: engine.has(.aligned) && engine.has(.header)
    case .validAlways, .validByWidth: engine.has(.keeps)
    case .validByScale: engine.has(.keeps) && engine.has(.aligned)
    case .nanWhenNarrow: engine[.columns] >= 2
    case .nanAlpha: engine[.written] & 2 != 0
    case .nanTransform: engine[.written] & 1 != 0
    case .nanAttribute: (1...3).contains(engine[.attribute])
    case .nanInitial: engine.has(.updates)
    case .negativeWhenNarrow:
      (1...3).contains(engine[.insets]) || engine.has(.spacing) && engine[.columns] >= 2
    case .smallAcross: engine.has(.header) || engine[.columns] > 0 && engine.reachesTheRightEdge
    case .takesZeroColumns: engine.has(.columnsSet)
    case .mirrorsItself: engine.has(.mirrors) && !engine.isItsOwnMirror
    case .shiftsMirror, .mirrorsSpacing: engine.has(.mirrors)
    case .offInSecondPrepare, .offBeyondContent, .dropsLast, .dropsFirstOfSection,
      .dropsBeyondThousand, .twiceCell, .staleCounts, .staleWidth, .staleContent, .nanFrame,
      .nanContent, .negativeHeight, .negativeContent, .smallByLine, .smallByInset, .byAddress,
      .byCounter, .byClock, .sharedWidth, .refusesLimit, .refusesNameless, .dropsAtLimit:
      true
    }
  }
}

extension Configuration {
  /// Whether a parameter changes frames that no value falls back on.
  fileprivate var hasParametersBesideValues: Bool {
    self[.heights] == 0 || has(.spacing) || has(.columnsSet)
  }

  /// Whether a line of cells ends where the content does, unless margins say otherwise.
  fileprivate var reachesTheRightEdge: Bool { [0, 2, 4, 5].contains(self[.insets]) }

  /// Whether every frame is in the middle of the content.
  fileprivate var isItsOwnMirror: Bool { self[.columns] == 1 && [0, 3].contains(self[.insets]) }
}
