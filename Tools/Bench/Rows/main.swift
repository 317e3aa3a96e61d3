import TesseraHost

// bench-rows rows FOLDER            measures what the command `tessera bench` does not
// bench-rows frames ENGINE FILE     writes the frames of a million items, four doubles each
// bench-rows query ENGINE ITEMS     queries viewports of a layout, as the reference program does
// bench-rows count FOLDER UPDATED   works in functions that callgrind counts
do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch {
  fail(70, "\(error)")
}
