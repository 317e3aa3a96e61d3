import TesseraGeometry

/// The way from one layout to another: a track for every element of the two.
public struct LayoutAnimation: Sendable {
  /// The elements' ways in the order of listings: by section, category, kind and item of
  /// `AnimationTrack.identity`; among equals, what disappears comes last.
  public let tracks: [AnimationTrack]
  /// What the attributes of the tracks' elements are.
  public let attributes: [AttributeDescription]
  /// The content's extent before, in points.
  public let contentSizeBefore: Size
  /// The content's extent after, in points.
  public let contentSizeAfter: Size
  /// Where the viewport is scrolled to before, in points of the content.
  public let offsetBefore: Point
  /// Where the viewport is scrolled to after, in points of the content.
  public let offsetAfter: Point

  /// An animation of tracks in any order.
  ///
  /// - Complexity: O(*n*), O(*n* log *n*) where the tracks are not in the order of listings.
  public init(
    tracks: [AnimationTrack], attributes: [AttributeDescription], contentSizeBefore: Size,
    contentSizeAfter: Size, offsetBefore: Point, offsetAfter: Point
  ) {
    self.tracks = tracks.inListingOrder { track in
      ListingPlace(track.identity, isLeaving: track.after == nil)
    }
    self.attributes = attributes
    self.contentSizeBefore = contentSizeBefore
    self.contentSizeAfter = contentSizeAfter
    self.offsetBefore = offsetBefore
    self.offsetAfter = offsetAfter
  }

  /// The way back: what appeared disappears, and steps step to what was before.
  public func reversed() -> LayoutAnimation {
    LayoutAnimation(
      tracks: tracks.map(\.reversed), attributes: attributes,
      contentSizeBefore: contentSizeAfter, contentSizeAfter: contentSizeBefore,
      offsetBefore: offsetAfter, offsetAfter: offsetBefore)
  }

  /// The elements on their way, in the order of `tracks`.
  ///
  /// At 0 they are those of the layout before and at 1 those of the layout after, each value to the
  /// bit; between, they are those of both. Each is called by `AnimationTrack.identity`. In between,
  /// frames, alpha and linear attributes go in proportion, transforms by translation, rotation,
  /// scale, skew and perspective; z index, visibility, bools, choices and step attributes are the
  /// new ones, attributes that are not interpolated the old ones.
  ///
  /// - Parameter progress: 0...1; what lies outside counts as the nearer end, NaN as 0.
  /// - Complexity: O(*n*).
  public func elements(at progress: Double) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(tracks.count)
    for track in tracks where track.isPresent(at: progress) {
      elements.append(track.element(at: progress, attributes: attributes))
    }
    return elements
  }

  /// The content's extent on the way, in points; `progress` is that of `elements(at:)`.
  public func contentSize(at progress: Double) -> Size {
    contentSizeBefore.interpolated(to: contentSizeAfter, progress.isNaN ? 0 : progress)
  }

  /// Where the viewport is scrolled to on the way; `progress` is that of `elements(at:)`.
  public func offset(at progress: Double) -> Point {
    offsetBefore.interpolated(to: offsetAfter, progress.isNaN ? 0 : progress)
  }

  /// The whole layout on its way, from where another animation can start.
  ///
  /// - Parameter progress: that of `elements(at:)`.
  /// - Complexity: O(*n*).
  public func moment(at progress: Double) -> LayoutMoment {
    LayoutMoment(
      elements: elements(at: progress), attributes: attributes,
      contentSize: contentSize(at: progress), offset: offset(at: progress))
  }
}

extension AnimationTrack {
  /// Whether the element is in the layout at a moment: what appears is not in the layout before, nor
  /// what disappears in the one after.
  fileprivate func isPresent(at progress: Double) -> Bool {
    progress >= 1 ? after != nil : progress > 0 || before != nil
  }
}
