// The only import of host modules: a fuzzing build compiles the other files without modules.
@_exported import TesseraGeometry
@_exported import TesseraHost
