import Foundation
import TestSupport
import Testing

@Suite struct ConceptsTests {
  /// Read once: the sources are long.
  private static let sources = Result { try SourceNames(in: "Sources") }

  /// The terms of the page.
  private let page: String
  private let sources: SourceNames

  init() throws {
    let text = try DocumentationTool.text("Documentation/Concepts.md")
    page = String(try #require(text.components(separatedBy: "\n## Terms\n").last))
    sources = try Self.sources.get()
  }

  /// Whether a quoted name is a declaration, an id, a command or a file.
  private func exists(_ name: String) -> Bool {
    let root = BuiltProducts.repository.path
    return sources.declare(name) || sources.quote(name) || sources.haveCommand(name)
      || ["Sources/", "Sources/CTessera/include/"].contains {
        FileManager.default.fileExists(atPath: "\(root)/\($0)\(name)")
      }
  }

  @Test func everyQuotedNameExists() throws {
    let names = page.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    #expect(names.count > 80)
    for name in names where name != "org.tessera.flow" {
      #expect(exists(name), "Documentation/Concepts.md quotes \(name), which no source declares")
    }
  }

  @Test(arguments: ["NoSuchType", "Session.noSuchMember", "tessera_no_such", "tessera nothing"])
  func aNameThatDoesNotExistIsFound(_ name: String) {
    #expect(!exists(name))
  }

  /// The tables for those who know UIKit name, in all columns but the first, what exists here.
  @Test func everyNameBesideOneOfUIKitExists() throws {
    let page = try DocumentationTool.text("Documentation/FromUIKit.md")
    let engines = try ["Plugins/Flow", "Plugins/Compositional"].map { try SourceNames(in: $0) }
    let cells = page.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .flatMap { $0.split(separator: " | ").dropFirst() }
    let names = cells.flatMap { $0.matches(of: /`([A-Za-z_.]+)`/).map { String($0.output.1) } }
    #expect(names.count > 50)
    for name in names {
      #expect(
        exists(name) || engines.contains { $0.declare(name) },
        "the page quotes \(name), which no source declares")
    }
  }

  /// What UIKit's headers declare for layouts: UICollectionViewLayout, its attributes, its contexts of
  /// invalidation, and the flow layout with its delegate.
  private static let membersOfUIKit = """
    prepare() collectionViewContentSize layoutAttributesForElements(in:)
    layoutAttributesForItem(at:) layoutAttributesForSupplementaryView(ofKind:at:)
    layoutAttributesForDecorationView(ofKind:at:) shouldInvalidateLayout(forBoundsChange:)
    shouldInvalidateLayout(forPreferredLayoutAttributes:withOriginalAttributes:)
    invalidationContext(forBoundsChange:)
    invalidationContext(forPreferredLayoutAttributes:withOriginalAttributes:)
    invalidateLayout() invalidateLayout(with:) invalidationContextClass layoutAttributesClass
    targetContentOffset(forProposedContentOffset:withScrollingVelocity:)
    targetContentOffset(forProposedContentOffset:) prepare(forCollectionViewUpdates:)
    finalizeCollectionViewUpdates() prepare(forAnimatedBoundsChange:)
    finalizeAnimatedBoundsChange() prepareForTransition(to:) prepareForTransition(from:)
    finalizeLayoutTransition() initialLayoutAttributesForAppearingItem(at:)
    finalLayoutAttributesForDisappearingItem(at:)
    initialLayoutAttributesForAppearingSupplementaryElement(ofKind:at:)
    finalLayoutAttributesForDisappearingSupplementaryElement(ofKind:at:)
    initialLayoutAttributesForAppearingDecorationElement(ofKind:at:)
    finalLayoutAttributesForDisappearingDecorationElement(ofKind:at:)
    indexPathsToDeleteForSupplementaryView(ofKind:) indexPathsToInsertForSupplementaryView(ofKind:)
    indexPathsToDeleteForDecorationView(ofKind:) indexPathsToInsertForDecorationView(ofKind:)
    targetIndexPath(forInteractivelyMovingItem:withPosition:)
    layoutAttributesForInteractivelyMovingItem(at:withTargetPosition:)
    register(_:forDecorationViewOfKind:) developmentLayoutDirection
    flipsHorizontallyInOppositeLayoutDirection invalidateEverything invalidateDataSourceCounts
    invalidateItems(at:) invalidateSupplementaryElements(ofKind:at:)
    invalidateDecorationElements(ofKind:at:) contentSizeAdjustment contentOffsetAdjustment
    invalidatedItemIndexPaths previousIndexPathsForInteractivelyMovingItems
    targetIndexPathsForInteractivelyMovingItems interactiveMovementTarget
    invalidateFlowLayoutDelegateMetrics invalidateFlowLayoutAttributes frame center bounds size
    transform transform3D alpha zIndex isHidden indexPath representedElementCategory
    representedElementKind itemSize estimatedItemSize automaticSize minimumLineSpacing
    minimumInteritemSpacing sectionInset sectionInsetReference scrollDirection
    headerReferenceSize footerReferenceSize sectionHeadersPinToVisibleBounds
    sectionFootersPinToVisibleBounds collectionView(_:layout:sizeForItemAt:)
    collectionView(_:layout:insetForSectionAt:)
    collectionView(_:layout:minimumLineSpacingForSectionAt:)
    collectionView(_:layout:minimumInteritemSpacingForSectionAt:)
    collectionView(_:layout:referenceSizeForHeaderInSection:)
    collectionView(_:layout:referenceSizeForFooterInSection:)
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  @Test func everyMemberOfALayoutOfUIKitIsNamed() throws {
    let page = try DocumentationTool.text("Documentation/FromUIKit.md")
    for member in Self.membersOfUIKit {
      #expect(page.contains("`\(member)`"), "Documentation/FromUIKit.md lacks \(member)")
    }
  }

  @Test func everyTermIsDefinedOnce() throws {
    let terms = page.split(separator: "\n").filter { $0.hasPrefix("- **") }
      .flatMap { $0.prefix { $0 != ":" }.matches(of: /\*\*([^*]+)\*\*/).map { $0.output.1 } }
    #expect(terms.count > 60)
    #expect(Set(terms).count == terms.count)
  }

  @Test(arguments: ["README.md", "CONTRIBUTING.md", "Documentation/README.md"])
  func pageLinksToTheTerms(_ page: String) throws {
    #expect(try DocumentationTool.text(page).contains("Concepts.md"))
  }
}
