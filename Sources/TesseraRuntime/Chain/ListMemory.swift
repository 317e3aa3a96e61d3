import CTessera
import Glibc
import TesseraCatalog

/// A list's records as engines read them; immutable and owned by the session.
package final class ListMemory {
  package static let limit = 1 << 28

  package let count: Int
  package let columns: [ValueMemory]

  package init(count: Int, columns: [ValueMemory]) {
    self.count = count
    self.columns = columns
  }

  convenience init(
    _ records: RecordList, of list: ListDescription, memory: any InputMemory
  ) throws(HostError) {
    guard 0...Self.limit ~= records.count else {
      throw HostError(
        .tooManyItems, "\(list.name) has \(records.count) records; expected 0 to \(Self.limit)")
    }
    if let unknown = records.columns.keys.sorted().first(where: { name in
      !list.columns.contains { $0.name == name }
    }) {
      throw .unknownName(
        unknown, "column", of: "the list \(list.name)", known: list.columns.map(\.name))
    }
    var columns: [ValueMemory] = []
    for declared in list.columns {
      let column = records.columns[declared.name] ?? .constant(declared.initial)
      let name = "\(declared.name) of \(list.name)"
      guard column.isValid(for: declared.type) else {
        throw .wrongType(name, is: column.type, expected: declared.type)
      }
      guard column.count ?? records.count == records.count else {
        throw HostError(
          .wrongCount,
          "\(name) has \(column.count ?? 0) values; expected one for each of the \(records.count) "
            + "records")
      }
      for record in 0..<(declared.hasLimits ? column.count ?? 1 : 0) {
        if let problem = declared.problem(with: column[record]) {
          throw .invalidValue("\(declared.name) of record \(record) of \(list.name)", problem)
        }
      }
      columns.append(
        try ValueMemory.copy(
          column, as: declared.type, choices: declared.choices,
          name: column.count == nil ? name : declared.name, memory: memory
        ) { " of record \($0) of \(list.name)" })
    }
    self.init(count: records.count, columns: columns)
  }

  package func copied(to memory: any InputMemory) throws(HostError) -> ListMemory {
    ListMemory(
      count: count,
      columns: try columns.map { column throws(HostError) in
        try column.copied(count: count, to: memory)
      })
  }

  package func isEqual(to other: ListMemory?, _ list: ListDescription) -> Bool {
    guard let other, other.count == count else { return false }
    return list.columns.indices.allSatisfy { index in
      let (mine, theirs) = (columns[index].column, other.columns[index].column)
      let size = list.columns[index].type.stride
      return mine.stride == theirs.stride
        && memcmp(mine.data!, theirs.data!, mine.stride == 0 ? size : count * size) == 0
    }
  }
}

extension ParameterDescription {
  fileprivate var hasLimits: Bool {
    minimum.contains { $0.isFinite } || maximum.contains { $0.isFinite }
  }
}
