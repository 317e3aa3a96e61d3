// An engine imports this module alone and has the points, sizes and rectangles too.
@_exported public import TesseraGeometry
