import TesseraGeometry
import TesseraHost

/// A format of paper, in points.
public enum Paper: String, CaseIterable, Sendable {
  case a4, letter

  /// The margin of each side: 15 mm.
  static let margin = 15 / 25.4 * 72

  /// The width and height of a page.
  public var size: Size {
    switch self {
    case .a4: Size(width: 595.276, height: 841.89)
    case .letter: Size(width: 612, height: 792)
    }
  }

  /// The part of a page within the margins.
  public var room: Size {
    Size(width: size.width - 2 * Self.margin, height: size.height - 2 * Self.margin)
  }
}

extension Picture {
  /// The pages of paper that show a figure: no row is divided unless it is higher than a page.
  ///
  /// The first page has the title, and one that begins within a section the name of that section. What
  /// is wider than the paper is cut off.
  public func pages(on paper: Paper) -> [Picture] {
    guard let figure else { return [self] }
    let drawnElements = DrawnElements(elements, middle: viewport.middle)
    let region = figureRegion(of: drawnElements)
    func page(_ figure: Figure, _ rect: Rect, _ number: String) -> Picture {
      var page = self
      page.extent = .rect(rect)
      page.figure = figure
      page.figure?.page = (paper.size, number)
      page.style.columns = 1
      return page
    }
    func room(_ figure: Figure) -> Double {
      // What remains of a page around content of no height.
      let line = Rect(x: region.x, y: region.y, width: region.width, height: 1)
      let head = FigurePage(
        page(figure, line, ""), figurePage(figure, paper), region: line, cuts: [],
        legend: figure.colours)
      return paper.size.height - Paper.margin - (head.arrangement.strips[0].frame.minY)
    }
    // Frames from the top, with which rows begin and end.
    var frames: [Element] = []
    for offset in drawnElements.order {
      let element = elements[elements.index(elements.startIndex, offsetBy: offset)]
      let isShape = element.identity.category != .decoration
      if isShape, element.frame.height > 0 { frames.append(element) }
    }
    frames.sort { $0.frame.minY < $1.frame.minY }
    var headers: [Int: (y: Double, name: String)] = [:]
    for element in frames {
      let kind = kinds.first { $0.name == element.identity.kind }
      guard kind?.role == .header, headers[element.identity.section] == nil,
        let name = figure.text?(element) ?? title?(element)
      else { continue }
      headers[element.identity.section] = (element.frame.minY, name)
    }
    var pages: [(figure: Figure, rect: Rect)] = []
    var top = region.minY
    while top < region.maxY - 0.01, pages.count < 10_000 {
      var look = figure
      if !pages.isEmpty {
        (look.title, look.subtitle, look.source, look.colours) = (nil, nil, nil, figure.colours)
        let first = frames.first { (element: Element) -> Bool in
          element.frame.minY >= top - 0.01 && element.identity.category == .cell
        }
        if let first, let header = headers[first.identity.section], header.y < top - 0.01 {
          look.subtitle = "\(header.name) (continued)"
        }
      }
      look.source = nil
      let height = max(1, room(look))
      var bottom = top + height
      if bottom < region.maxY {
        // Up to where no element is divided, and no header is left without what follows it.
        var isMoved = true
        while isMoved {
          isMoved = false
          for element in frames where element.frame.minY > top + 0.01 && element.frame.minY < bottom
          {
            let isHeader = kinds.first { $0.name == element.identity.kind }?.role == .header
            if element.frame.maxY > bottom + 0.01 || isHeader && element.frame.maxY > bottom - 1 {
              bottom = element.frame.minY
              isMoved = true
              break
            }
          }
        }
      } else {
        bottom = region.maxY
      }
      pages.append(
        (look, Rect(x: region.x, y: top, width: region.width, height: max(1, bottom - top))))
      top = max(bottom, top + 1)
    }
    return pages.enumerated().map { index, one in
      var look = one.figure
      if index == pages.count - 1 { look.source = figure.source }
      return page(look, one.rect, "\(index + 1) / \(pages.count)")
    }
  }

  private func figurePage(_ figure: Figure, _ paper: Paper) -> Figure {
    var figure = figure
    figure.page = (paper.size, "")
    return figure
  }
}
