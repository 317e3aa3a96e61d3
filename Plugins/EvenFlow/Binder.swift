import TesseraSDK

/// What the binder behind a section is made from.
struct Binder {
  /// Length of the section's header, if it has one.
  var headerLength: Double?
  /// The first of the section's tallest cells.
  private var tallest: Rect?

  /// Takes cells of the section into account.
  mutating func measure(_ frames: borrowing MutableSpan<Rect>) {
    for cell in frames.indices where frames[cell].height > tallest?.height ?? -1 {
      tallest = frames[cell]
    }
  }

  /// Where the binder lies; nil where the section has no header or no cell.
  func frame(width: Double) -> Rect? {
    guard let headerLength, let tallest else { return nil }
    let height = tallest.height + headerLength
    return Rect(x: 0, y: tallest.midY - height / 2, width: width, height: height)
  }
}
