import TesseraGeometry
import TesseraHost

extension FlowRules {
  /// Gives a session of the engine what the rules are followed for.
  ///
  /// Values of sections and items are given as such or, with `asParameters`, those of the first
  /// section as the parameters that stand in for them. Sizes that are all equal are given as one.
  func apply(to session: Session, asParameters: Bool = false) throws {
    session.bounds = bounds
    session.contentInsets = contentInsets
    session.safeAreaInsets = safeArea
    session.layoutMargins = layoutMargins
    session.scale = scale
    try session.setParameter(
      "scrollDirection", to: .choice(isHorizontal ? "horizontal" : "vertical"))
    try session.setParameter("sectionInsetReference", to: .choice(reference))
    try session.setSections(sections.map(\.sizes.count))
    let sizes = sections.flatMap(\.sizes)
    if let size = sizes.first, asParameters, sizes.allSatisfy({ $0 == size }) {
      try session.setParameter("itemSize", to: .size(size))
    } else {
      try session.setItemValues("size", .sizes(sizes))
    }
    if asParameters, let first = sections.first {
      try session.setParameter("sectionInset", to: .insets(first.inset))
      try session.setParameter("minimumLineSpacing", to: .number(first.lineSpacing))
      try session.setParameter("minimumInteritemSpacing", to: .number(first.interitemSpacing))
      try session.setParameter("headerReferenceSize", to: .size(first.header))
      try session.setParameter("footerReferenceSize", to: .size(first.footer))
    } else {
      try session.setSectionValues("sectionInset", .insets(sections.map(\.inset)))
      try session.setSectionValues("minimumLineSpacing", .numbers(sections.map(\.lineSpacing)))
      try session.setSectionValues(
        "minimumInteritemSpacing", .numbers(sections.map(\.interitemSpacing)))
      try session.setSectionValues("headerReferenceSize", .sizes(sections.map(\.header)))
      try session.setSectionValues("footerReferenceSize", .sizes(sections.map(\.footer)))
    }
  }
}
