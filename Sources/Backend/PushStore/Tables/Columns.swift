/// The place of a column in a statement's rows.
///
/// It comes from the column's name alone, so a statement may have its columns in any order.
package struct Column: Sendable {
  package let index: Int

  fileprivate init(index: Int) { self.index = index }

  /// The column of a statement that has one.
  package static let only = Column(index: 0)
}

/// Finds the columns of a statement's rows by their names.
package protocol ColumnNames {
  /// The place of a column; nil if the rows have none with this name.
  func index(of name: String) -> Int?
}

extension ColumnNames {
  /// The column with a name, which the statement's text has.
  package func column(_ name: String) -> Column {
    guard let index = index(of: name) else { preconditionFailure("the statement has no column \(name)") }
    return Column(index: index)
  }
}

/// The columns that a decoder reads, found once for all rows of a statement.
package protocol RowColumns {
  init(in names: some ColumnNames)
}

/// A row of a statement's result.
package protocol StoreRow: ~Copyable {
  /// A column's number; 0 if it is none.
  func integer(in column: Column) -> Int64

  /// A column's number; nil if it is null.
  func real(in column: Column) -> Double?

  /// Whether a column is true.
  func boolean(in column: Column) -> Bool

  /// A column's text; nil if it is null.
  ///
  /// Invalid UTF-8 is replaced by replacement characters.
  func text(in column: Column) -> String?

  /// The first bytes of a column's text; nil if it is null.
  func bytes(in column: Column, atMost maximum: Int) -> [UInt8]?

  /// Whether a column is null.
  func isNull(_ column: Column) -> Bool

  /// Adds the bytes of a column's text to what a MAC covers.
  func append(_ column: Column, to image: inout RowImage)
}

extension StoreRow where Self: ~Copyable {
  /// The bytes of a column's text; nil if it is null.
  package func bytes(in column: Column) -> [UInt8]? { bytes(in: column, atMost: .max) }
}
