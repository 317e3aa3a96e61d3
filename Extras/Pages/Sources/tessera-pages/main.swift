import TesseraCommand

// One program that is three commands, by the name that it is run as.
switch CommandLine.arguments.first?.split(separator: "/").last {
case "tessera-figure": CommandProgram.run(FigureCommand.self)
default:
  Diagnostics.say("this program is installed as tessera-figure; run it by that name")
  CommandProgram.run(FigureCommand.self)
}
