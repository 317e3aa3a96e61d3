import TesseraHost

/// Which samples a case examines: some that are fixed, and random ones as the level says.
public struct SampleSet: Sendable {
  private let make: @Sendable (inout Sampling, CaseLevel) -> [Sample]

  /// Samples of one's own.
  public init(_ make: @escaping @Sendable (inout Sampling, CaseLevel) -> [Sample]) {
    self.make = make
  }

  /// The samples for an engine, the fixed ones first; the same for the same seed.
  func samples(_ sampling: inout Sampling, _ level: CaseLevel) -> [Sample] {
    make(&sampling, level)
  }

  /// The sample that everything starts from, and no other.
  public static let plain = SampleSet { _, _ in [Sample()] }

  /// No items, one, twenty, sections with empty ones among them; then random ones.
  public static let usual = SampleSet { sampling, level in
    [
      Sample(), Sample(counts: []), Sample(counts: [0]), Sample(counts: [1]),
      Sample(counts: [3, 0, 5]),
    ]
      + (0..<level.sampleCount).map { _ in sampling.usual() }
  }

  /// Fixed samples.
  public static func fixed(_ samples: [Sample]) -> SampleSet { SampleSet { _, _ in samples } }

  /// Fixed item counts, with everything else as it starts.
  public static func counts(_ counts: [Int]...) -> SampleSet {
    fixed(counts.map { Sample(counts: $0) })
  }

  /// The usual samples, each changed.
  public static func usual(
    _ change: @escaping @Sendable (inout Sample, inout Sampling) -> Void
  ) -> SampleSet {
    SampleSet { sampling, level in
      usual.samples(&sampling, level).map { sample in
        var sample = sample
        change(&sample, &sampling)
        return sample
      }
    }
  }
}
