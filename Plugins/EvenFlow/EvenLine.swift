import TesseraSDK

/// The lines of a section, over which cells are spread.
struct EvenLine {
  let contentWidth: Double
  let inset: Insets
  let scale: Double

  /// Spreads the cells of every line over it, each in the middle of its share, on whole points.
  ///
  /// - Returns: The lowest edge of them.
  func spread(_ frames: inout MutableSpan<Rect>) -> Double {
    var first = 0
    var lowest = 0.0
    while first < frames.count {
      let end = lineEnd(from: first, frames)
      let half = (contentWidth - inset.left - inset.right) / Double(2 * (end - first))
      for cell in first..<end {
        let middle = inset.left + half + 2 * half * Double(cell - first)
        frames[cell] = integral(frames[cell], middle: middle)
        lowest = max(lowest, frames[cell].maxY)
      }
      first = end
    }
    return lowest
  }

  /// The end of the line that begins with a cell: centres that differ by a pixel at most, as much as
  /// rounding takes them apart.
  private func lineEnd(from first: Int, _ frames: borrowing MutableSpan<Rect>) -> Int {
    var (least, most) = (frames[first].midY, frames[first].midY)
    var end = first + 1
    while end < frames.count {
      let middle = frames[end].midY
      least = min(least, middle)
      most = max(most, middle)
      guard most - least <= 1 / scale else { break }
      end += 1
    }
    return end
  }

  private func integral(_ frame: Rect, middle: Double) -> Rect {
    let x = middle - frame.width / 2
    let (left, top) = (x.rounded(.down), frame.y.rounded(.down))
    return Rect(
      x: left, y: top, width: (x + frame.width).rounded(.up) - left,
      height: frame.maxY.rounded(.up) - top)
  }
}
