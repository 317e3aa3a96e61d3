// Whoever uses a host speaks of points, sizes and rectangles: one import brings both.
@_exported import TesseraGeometry
