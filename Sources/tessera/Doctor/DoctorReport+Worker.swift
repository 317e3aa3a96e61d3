import TesseraHost

extension DoctorReport {
  var workerRows: [Row] {
    let trial = diagnosis.worker
    let limits = diagnosis.workerLimits
    var rows = [
      Row(
        name: "program", text: trial.program ?? "none was found",
        weight: trial.program == nil ? .wrong : .fine),
      Row(
        name: "start",
        text: trial.error
          ?? "it enters the sandbox and answers in \((trial.seconds ?? 0).millisecondsText)",
        weight: trial.error == nil ? .fine : .wrong),
    ]
    if let library = trial.library {
      rows.append(
        Row(
          name: "library",
          text: trial.librarySeconds.map { "\(library) is asked in \($0.millisecondsText)" }
            ?? "\(library) could not be asked in the sandbox",
          weight: trial.librarySeconds == nil ? .weaker : .fine))
    }
    rows.append(
      Row(
        name: "limits",
        text: "\(limits.secondsPerCall.readableText) s a call, \(limits.processorSeconds) s of "
          + "processor time, \(limits.memory.sizeText) of memory, \(limits.rowMemory.sizeText) of "
          + "rows"))
    return rows
  }

  var processRows: [Row] {
    var rows = [
      Row(
        name: "user",
        text: diagnosis.user == 0
          ? "root; in the sandbox engines lose its rights" : "number \(diagnosis.user)")
    ]
    if diagnosis.isPrivileged {
      rows.append(
        Row(
          name: "privileges",
          text: "this process has rights that its caller lacks: environment, home folder and cache "
            + "are not read"))
    }
    return rows
      + diagnosis.processLimits.map { limit in
        Row(
          name: limit.name, text: "\(limit.value.map { "\($0)" } ?? "unlimited") \(limit.meaning)")
      }
  }
}

extension Double {
  /// Seconds as milliseconds for a person.
  fileprivate var millisecondsText: String { "\(((self * 10_000).rounded() / 10).readableText) ms" }
}

extension UInt64 {
  /// Bytes for a person, "4 GiB".
  var sizeText: String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where self >= 1 << shift {
      return "\((Double(self) / Double(1 << shift) * 10).rounded() / 10) \(unit)"
        .replacing(".0 ", with: " ")
    }
    return "\(self) bytes"
  }
}
