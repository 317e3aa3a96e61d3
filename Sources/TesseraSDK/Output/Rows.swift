import CTessera
public import TesseraGeometry

/// The rows of a run, column by column, in the host's memory; valid until the call from the host
/// returns, whatever else is added meanwhile.
public struct Rows {
  let pointer: UnsafePointer<tessera_rows>

  /// How many rows there are.
  public var count: Int { Int(clamping: pointer.pointee.count) }

  /// How many of the first rows still hold, in all columns, what the layout's last successful
  /// prepare left there; often none.
  public var kept: Int { Int(clamping: pointer.pointee.kept) }

  /// Where the elements are.
  ///
  /// The rows of a run that was added hold anything at first: write every one from `kept` on.
  public var frame: RowColumn<Rect> {
    let frames = UnsafeMutableRawPointer(pointer.pointee.frame).assumingMemoryBound(to: Rect.self)
    return RowColumn(frames, count: count)
  }

  /// Matrices about the frames' centres.
  public var transform: RowColumn<Transform> {
    let transforms = pointer.pointee.transform.map {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: Transform.self)
    }
    return RowColumn(transforms, count: count)
  }

  /// Opacity, 0…1.
  public var alpha: RowColumn<Double> { RowColumn(pointer.pointee.alpha, count: count) }

  /// What lies above what, higher in front.
  public var zIndex: RowColumn<Int32> { RowColumn(pointer.pointee.z_index, count: count) }

  /// Whether the element is not shown.
  public var hidden: RowColumn<Bool> { RowColumn(pointer.pointee.hidden, count: count) }

  /// A column of the layout's own.
  public subscript<Value>(attribute: Attribute<Value>) -> RowColumn<Value> {
    let column = pointer.pointee.attributes.flatMap { $0[attribute.number] }
    return RowColumn(column?.assumingMemoryBound(to: Value.Stored.self), count: count)
  }
}
