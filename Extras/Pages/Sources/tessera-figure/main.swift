import TesseraCommand

// One program that is three commands, by the name that it is run as.
switch CommandLine.arguments.first?.split(separator: "/").last {
case "tessera-album": CommandProgram.run(AlbumCommand.self)
case "tessera-sheet": CommandProgram.run(SheetCommand.self)
default: CommandProgram.run(FigureCommand.self)
}
