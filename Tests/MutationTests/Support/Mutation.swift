/// A fault that Tests/Fixtures/engines/configurable.c can have, by the name it has there.
enum Mutation: String, CaseIterable, Sendable {
  case offInElement, offInRect, offWhenKept, offInSecondPrepare, offInAdjust, offBeyondContent
  case dropsLast, dropsFirstOfSection, dropsBeyondThousand, dropsInRect, dropsHeaderInRect
  case dropsInElement
  case twiceCell, twiceHeader, twiceInRect
  case staleCounts, staleWidth, staleHeight, staleSpacing, staleValues, staleScale, staleInsets
  case staleAnswers, staleContent
  case wrongSection, wrongKind, wrongCategory, wrongItem, wrongInElement
  case validAlways, validByWidth, validByScale, keepsForParameters, keepsForBounds, keepsLine
  case keepsForValues
  case nanFrame, nanWhenNarrow, nanAlpha, nanAttribute, nanTransform, nanContent, nanInitial
  case negativeWhenNarrow, negativeHeight, negativeContent
  case smallByLine, smallByInset, smallByHeader, smallAcross
  case byAddress, byCounter, byClock
  case sharedCells, sharedWidth, sharedParameters
  case takesZeroColumns, refusesLimit, refusesNameless, dropsAtLimit
  case mirrorsItself, shiftsMirror, mirrorsSpacing
  case unroundedAcross, unroundedDown, roundsToHalves, roundsHeadersNot

  /// What goes wrong.
  var kind: MutationKind {
    switch self {
    case .offInElement, .offInRect, .offWhenKept, .offInSecondPrepare, .offInAdjust,
      .offBeyondContent:
      .offByOne
    case .dropsLast, .dropsFirstOfSection, .dropsBeyondThousand, .dropsInRect, .dropsHeaderInRect,
      .dropsInElement:
      .dropped
    case .twiceCell, .twiceHeader, .twiceInRect: .twice
    case .staleCounts, .staleWidth, .staleHeight, .staleSpacing, .staleValues, .staleScale,
      .staleInsets, .staleAnswers, .staleContent:
      .stale
    case .wrongSection, .wrongKind, .wrongCategory, .wrongItem, .wrongInElement: .wrong
    case .validAlways, .validByWidth, .validByScale, .keepsForParameters, .keepsForBounds,
      .keepsLine, .keepsForValues:
      .forgotten
    case .nanFrame, .nanWhenNarrow, .nanAlpha, .nanAttribute, .nanTransform, .nanContent,
      .nanInitial:
      .noNumber
    case .negativeWhenNarrow, .negativeHeight, .negativeContent: .negative
    case .smallByLine, .smallByInset, .smallByHeader, .smallAcross: .tooSmall
    case .byAddress, .byCounter, .byClock: .chance
    case .sharedCells, .sharedWidth, .sharedParameters: .shared
    case .takesZeroColumns, .refusesLimit, .refusesNameless, .dropsAtLimit: .limits
    case .mirrorsItself, .shiftsMirror, .mirrorsSpacing: .mirror
    case .unroundedAcross, .unroundedDown, .roundsToHalves, .roundsHeadersNot: .grid
    }
  }

  /// Whether the quick level reaches far enough to see it.
  var isVisibleAtQuick: Bool { self != .dropsBeyondThousand }
}
