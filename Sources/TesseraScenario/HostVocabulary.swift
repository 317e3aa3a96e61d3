// Files of this module and its importers use the host's names.
@_exported import TesseraGeometry
@_exported import TesseraHost
