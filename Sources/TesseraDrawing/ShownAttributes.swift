import TesseraGeometry
import TesseraHost

/// What a picture shows of the attributes that engines add, whichever engine it is: those of a known
/// name and type.
///
/// `maskingValue`, a number, dims its element, from 0 (not at all) to 1 (all dark); what lies outside
/// counts as the nearer end. `contentRect`, a rect measured from the corner of the frame, is where a
/// cell shows its picture; what overhangs the frame is not seen, and a cell where it is empty has no
/// picture.
struct ShownAttributes {
  private let masking: Int?
  private let content: Int?

  init(names: [String]) {
    masking = names.firstIndex(of: "maskingValue")
    content = names.firstIndex(of: "contentRect")
  }

  /// How much an element is dimmed, 0...1.
  func masking(of element: Element) -> Double {
    guard case .number(let value) = value(masking, of: element), value > 0 else { return 0 }
    return min(value, 1)
  }

  /// Where a cell shows its picture, in points from the corner of its frame; nil where it has none.
  func content(of element: Element) -> Rect? {
    guard element.identity.category == .cell,
      case .rect(let rect) = value(content, of: element), rect.isFinite,
      let seen = rect.clipped(to: Rect(origin: .zero, size: element.frame.size)),
      seen.width > 0, seen.height > 0
    else { return nil }
    return seen
  }

  private func value(_ index: Int?, of element: Element) -> Value? {
    guard let index, element.attributes.indices.contains(index) else { return nil }
    return element.attributes[index]
  }
}

extension ShownAttributes {
  /// Whether masking goes in proportion between two layouts; otherwise it changes at once.
  func isMaskingLinear(_ attributes: [AttributeDescription]) -> Bool {
    interpolation(masking, attributes) == .linear
  }

  /// Whether the picture's place goes in proportion between two layouts.
  func isContentLinear(_ attributes: [AttributeDescription]) -> Bool {
    interpolation(content, attributes) == .linear
  }

  /// How much a track's element is dimmed on its way, 0...1.
  func masking(
    of track: AnimationTrack, at progress: Double, _ attributes: [AttributeDescription]
  ) -> Double {
    let part = interpolation(masking, attributes).part(progress)
    return mixed(masking(of: track.from), masking(of: track.to), part)
  }

  /// Where a track's cell shows its picture on its way; where it has one at one end only, it fills
  /// the cell at the other.
  func content(
    of track: AnimationTrack, at progress: Double, _ attributes: [AttributeDescription]
  ) -> Rect? {
    let (from, to) = (content(of: track.from), content(of: track.to))
    guard from != nil || to != nil else { return nil }
    let start = from ?? Rect(origin: .zero, size: track.from.frame.size)
    let end = to ?? Rect(origin: .zero, size: track.to.frame.size)
    let part = interpolation(content, attributes).part(progress)
    return Rect(
      x: mixed(start.x, end.x, part), y: mixed(start.y, end.y, part),
      width: mixed(start.width, end.width, part), height: mixed(start.height, end.height, part))
  }

  private func interpolation(
    _ index: Int?, _ attributes: [AttributeDescription]
  ) -> AttributeDescription.Interpolation {
    guard let index, attributes.indices.contains(index) else { return .step }
    return attributes[index].interpolation
  }
}

extension AttributeDescription.Interpolation {
  /// Which part of the way from the old value to the new one is made, 0...1.
  fileprivate func part(_ progress: Double) -> Double {
    switch self {
    case .linear: progress
    case .step: progress > 0 ? 1 : 0
    case .none: progress < 1 ? 0 : 1
    }
  }
}

/// A number on the way from one to another, exact at both ends.
private func mixed(_ start: Double, _ end: Double, _ part: Double) -> Double {
  part >= 1 ? end : start + (end - start) * part
}
