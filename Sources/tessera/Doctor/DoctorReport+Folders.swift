import TesseraHost

extension DoctorReport {
  var folderRows: [Row] {
    diagnosis.folders.map { folder in
      switch folder.state {
      case .searched(let count):
        Row(name: count == 1 ? "1 library" : "\(count) libraries", text: folder.path)
      case .missing: Row(name: "not there", text: folder.path)
      case .refused(let error):
        Row(name: "passed over", text: "\(folder.path): \(error.message)", weight: .weaker)
      }
    }
  }

  var engineRows: [Row] {
    let listing = diagnosis.listing
    let usable = listing.engines.count { $0.shadowedBy == nil }
    let folders = Set(diagnosis.folders.map(\.path))
    let refused = listing.refused.filter { !folders.contains($0.file) }.map { refusal in
      Row(name: "refused", text: "\(refusal.file): \(refusal.reason)", weight: .weaker)
    }
    let text =
      usable == 0
      ? "none; give a folder that holds some with --engines" : "\(usable); tessera list names them"
    return [Row(name: "usable", text: text)] + refused
  }

  var cacheRows: [Row] {
    let cache = diagnosis.cache
    guard let folder = cache.folder else {
      let reason =
        diagnosis.isPrivileged
        ? "this process has rights that its caller lacks"
        : "neither XDG_CACHE_HOME nor HOME names a folder"
      return [
        Row(
          name: "cache", text: "none, because \(reason): each listing asks every library anew",
          weight: .weaker)
      ]
    }
    if let problem = cache.problem {
      return [Row(name: "cache", text: problem, weight: .weaker)]
    }
    return [
      Row(name: "cache", text: folder),
      Row(
        name: "",
        text: "libraries known: \(cache.entryCount); crashes recorded of: \(cache.crashedCount); "
          + "size: \(cache.byteCount.sizeText)"),
    ]
  }

  var allowlistRows: [Row] {
    if let problem = allowlist.problem {
      return [
        Row(name: "allowlist", text: problem, weight: allowlist.isInForce ? .weaker : .fine)
      ]
    }
    let count = allowlist.count.map { "libraries: \($0)" } ?? "not there"
    let force = allowlist.isInForce ? "in force" : "in force with --require-hash only"
    return [
      Row(name: "allowlist", text: allowlist.file ?? ""), Row(name: "", text: "\(count); \(force)"),
    ]
  }

  var environmentRows: [Row] {
    Surroundings.variables.map { name in
      Row(name: name, text: Surroundings.environment[name] ?? "not set")
    }
  }
}
