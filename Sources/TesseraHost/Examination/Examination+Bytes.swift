extension ByteWriter {
  mutating func put(_ examination: Examination) {
    func put(_ code: UInt8, _ first: Int = 0, _ second: Int = 0) {
      self.put(code)
      self.put(first)
      self.put(second)
    }
    switch examination {
    case .process: put(1)
    case .interleaved: put(2)
    case .threads(let count, let rounds): put(3, count, rounds)
    case .preparedAgain: put(4)
    case .unprepared(let asks): put(5, asks ? 1 : 0)
    case .recreated(let count): put(6, count)
    case .reprepared(let count): put(7, count)
    case .guarded(let side): put(8, side == .end ? 1 : 0)
    case .refusedRows: put(9)
    case .kept: put(10)
    case .unknownExtensions: put(11)
    case .readOnlyInput: put(12)
    }
  }

  mutating func put(_ report: ExaminationReport) {
    put(count: report.stages.count)
    for stage in report.stages {
      put(stage.name)
      put(stage.facts)
    }
    put(report.loadingSeconds)
    put(report.registrationSeconds)
    put(report.registrationProblem)
    put(report.descriptionProblem)
    put(report.problem)
    for numbers in [report.heapBytes, report.privateBytes] {
      put(count: numbers.count)
      for number in numbers { put(number) }
    }
    put(count: report.images.count)
    for image in report.images { put(image) }
  }
}

extension ByteReader {
  mutating func examination() throws(HostError) -> Examination {
    let (code, first, second) = (try uint8(), try int(), try int())
    switch code {
    case 1: return .process
    case 2: return .interleaved
    case 3: return .threads(first, rounds: second)
    case 4: return .preparedAgain
    case 5: return .unprepared(asks: first == 1)
    case 6: return .recreated(first)
    case 7: return .reprepared(first)
    case 8: return .guarded(first == 1 ? .end : .start)
    case 9: return .refusedRows
    case 10: return .kept
    case 11: return .unknownExtensions
    case 12: return .readOnlyInput
    default: throw Self.broken("is an examination of kind \(code)")
    }
  }

  mutating func examinationReport() throws(HostError) -> ExaminationReport {
    var report = ExaminationReport()
    for _ in 0..<(try count(ofAtLeast: 64)) {
      report.stages.append(
        ExaminationReport.Stage(name: try string(), facts: try processFacts()))
    }
    report.loadingSeconds = try double()
    report.registrationSeconds = try double()
    report.registrationProblem = try optionalString()
    report.descriptionProblem = try optionalString()
    report.problem = try optionalString()
    report.heapBytes = try ints()
    report.privateBytes = try ints()
    for _ in 0..<(try count(ofAtLeast: 20)) { report.images.append(try layoutRows()) }
    return report
  }

  private mutating func ints() throws(HostError) -> [Int] {
    var numbers: [Int] = []
    for _ in 0..<(try count(ofAtLeast: 8)) { numbers.append(try int()) }
    return numbers
  }
}
