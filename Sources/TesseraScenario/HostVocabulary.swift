// The only import of the host's modules: the reader's other files name none, so that a fuzzing
// build can compile them together with the few host files that they use, without modules.
@_exported import TesseraGeometry
@_exported import TesseraHost
