extension Replay {
  /// The recording with the fewest calls, then the smallest data, whose replay still differs.
  ///
  /// Without `reference`, a correct engine that repeats calls, only queries are removed unless the
  /// difference is a crash, a broken contract or a failed case. Nil if the replay doesn't differ.
  public func smallest(
    _ recording: Recording, reference: Replay? = nil, _ shrinker: Shrinker = Shrinker(time: nil)
  ) throws(HostError) -> Recording? {
    guard let difference = try difference(of: recording) else { return nil }
    var start = recording
    start.entries = Array(recording.entries.prefix(difference.call))
    let last = start.entries[start.entries.count - 1]
    if case .check = last.call {
      start.entries = [last]
      return start
    }
    func descend(_ removable: KeyPath<Recording, [Bool]>, _ failing: (Recording) -> Recording?)
      -> Recording
    {
      shrinker.smallest(
        from: failing(start) ?? start, steps: { $0.steps(removable) }, failing: failing)
    }
    if difference.failure == .died || difference.failure == .brokenContract {
      for index in start.entries.indices { start.entries[index].answer = .any }
      return descend(\.self.all) { candidate in
        guard let found = try? self.difference(of: candidate), found.failure == difference.failure
        else { return nil }
        return candidate.prefix(found.call)
      }
    }
    if let reference {
      return descend(\.self.all) { candidate in
        guard let answered = try? reference.answered(candidate),
          let found = try? self.difference(of: answered), found.failure == difference.failure
        else { return nil }
        return answered.prefix(found.call)
      }
    }
    let measures = start.entries.contains {
      if case .set(.measure) = $0.call { true } else { false }
    }
    return descend(measures ? \.self.none : \.self.idleQuestions) { candidate in
      guard let found = try? self.difference(of: candidate) else { return nil }
      return candidate.prefix(found.call)
    }
  }
}

extension Recording {
  /// Removes calls in ever smaller pieces; if all are removable, also shrinks data.
  fileprivate func steps(_ removable: KeyPath<Recording, [Bool]>) -> [(Recording) -> [Recording]] {
    var steps: [(Recording) -> [Recording]] = []
    var size = max(1, entries.count / 2)
    while size > 0 {
      for start in stride(from: 0, to: entries.count, by: size) {
        steps.append { [size] recording in
          let may = recording[keyPath: removable]
          let chosen = (start..<max(start, min(start + size, may.count))).filter { may[$0] }
          return chosen.isEmpty ? [] : [recording.without(chosen)]
        }
      }
      size /= 2
    }
    for index in entries.indices {
      steps.append { recording in
        let allMayGo = recording[keyPath: removable].allSatisfy(\.self)
        return allMayGo && index < recording.entries.count ? recording.smaller(at: index) : []
      }
    }
    return steps
  }

  fileprivate var all: [Bool] { entries.map { _ in true } }
  fileprivate var none: [Bool] { entries.map { _ in false } }
  /// Calls without effect on later ones.
  fileprivate var idleQuestions: [Bool] {
    entries.map {
      switch $0.call {
      case .contentSize, .elements, .visibleElements, .element, .snap, .check: true
      default: false
      }
    }
  }

  fileprivate func prefix(_ count: Int) -> Recording {
    var result = self
    result.entries = Array(entries.prefix(count))
    return result
  }

  fileprivate func without(_ indices: [Int]) -> Recording {
    var result = self
    for index in indices.reversed() { result.entries.remove(at: index) }
    return result
  }

  /// Smallest first; later values are cut to fit.
  fileprivate func smaller(at index: Int) -> [Recording] {
    entries[index].call.smaller.map { call in
      var result = self
      result.entries[index].call = call
      guard case .set(.sections(let counts)) = call else { return result }
      let total = counts.reduce(0) { $0 &+ $1 }
      for later in result.entries.indices.dropFirst(index + 1) {
        switch result.entries[later].call {
        case .set(.sections): return result
        case .set(.sectionValues(let name, let column)):
          result.entries[later].call = .set(.sectionValues(name, column.prefix(counts.count)))
        case .set(.itemValues(let name, let column)):
          result.entries[later].call = .set(.itemValues(name, column.prefix(total)))
        default: break
        }
      }
      return result
    }
  }
}

extension SessionCall {
  /// Smallest first.
  fileprivate var smaller: [SessionCall] {
    switch self {
    case .set(let change): change.smaller.map(SessionCall.set)
    case .update(let operations, let counts, let changes):
      changes.indices.map { index in
        var rest = changes
        rest.remove(at: index)
        return .update(operations, counts: counts, changes: rest)
      }
    default: []
    }
  }
}

extension InputChange {
  /// Smallest first.
  fileprivate var smaller: [InputChange] {
    switch self {
    case .sections(let counts):
      var fewer: [[Int]] = counts.count > 2 ? [Array(counts.prefix(counts.count / 2))] : []
      for section in counts.indices where counts.count > 1 {
        var rest = counts
        rest.remove(at: section)
        fewer.append(rest)
      }
      for (section, count) in counts.enumerated() {
        var known = Set<Int>()
        for less in [0, 1, count / 2, count - 1]
        where less >= 0 && less < count && known.insert(less).inserted {
          var rest = counts
          rest[section] = less
          fewer.append(rest)
        }
      }
      return fewer.map(InputChange.sections)
    case .sectionValues(let name, let column):
      return column.first.map { [.sectionValues(name, $0)] } ?? []
    case .itemValues(let name, let column):
      return column.first.map { [.itemValues(name, $0)] } ?? []
    case .list(let name, let records):
      // A later record may refer to earlier ones.
      return Set([0, 1, records.count / 2, records.count - 1]).sorted()
        .filter { 0..<records.count ~= $0 }.map { .list(name, records.prefix($0)) }
    default: return []
    }
  }
}

extension RecordList {
  package func prefix(_ count: Int) -> RecordList {
    RecordList(count: min(count, self.count), columns: columns.mapValues { $0.prefix(count) })
  }
}

extension ValueColumn {
  fileprivate func prefix(_ count: Int) -> ValueColumn {
    guard let values = each else { return self }
    return ValueColumn(Array(values.prefix(count)), type: type)
  }

  fileprivate var first: ValueColumn? { each?.first.map(ValueColumn.constant) }
}
