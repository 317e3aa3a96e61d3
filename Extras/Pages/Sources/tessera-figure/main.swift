import TesseraCommand

// The program's name selects one of three commands.
switch CommandLine.arguments.first?.split(separator: "/").last {
case "tessera-album": CommandProgram.run(AlbumCommand.self)
case "tessera-sheet": CommandProgram.run(SheetCommand.self)
default: CommandProgram.run(FigureCommand.self)
}
