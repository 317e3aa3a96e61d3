import TesseraGeometry

/// The oracle of queries: an optimized scan of every frame.
package enum FrameScan {
  /// Half-open: touching edges and empty rects do not intersect.
  package static func rows(of frames: [Rect], in rect: Rect) -> [Int] {
    guard rect.width > 0, rect.height > 0 else { return [] }
    return frames.indices.filter { row in
      let frame = frames[row]
      return frame.width > 0 && frame.height > 0
        && frame.x < rect.x + rect.width && rect.x < frame.x + frame.width
        && frame.y < rect.y + rect.height && rect.y < frame.y + frame.height
    }
  }
}
