import Glibc
import TesseraHost

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 15
let program = realpath("/proc/self/exe", nil).map { String(cString: $0) } ?? "./"
let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
  .joined(separator: "/")

func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}

do {
  let ways = Isolation.allCases.map { Figures($0, engines: folder, rounds: rounds) }
  print(
    padded("", 38) + Isolation.allCases.map { padded($0.rawValue, 12) }.joined() + "sandbox/none")
  for figure in Figures.all {
    let times = try ways.map { try figure.measure($0) }
    let ratio = (times[0] / times[2] * 100).rounded() / 100
    print(
      padded(figure.name, 38) + times.map { padded($0.asTime, 12) }.joined() + "\(ratio)")
    fflush(nil)
  }
} catch {
  print("isolation-figures: \(error)")
  exit(70)
}
