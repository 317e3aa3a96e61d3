import TesseraHost

// bench-rows rows FOLDER            measures what the command `tessera bench` does not
// bench-rows count FOLDER UPDATED   works in functions that callgrind counts
do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  fail(70, "\(error)")
}
