/// One small change of a file, and the edits that put it there behind a switch.
struct Mutant: Encodable {
  /// The ID, which stays when other code of the file changes.
  let id: String
  let module: String
  let file: String
  let line: Int
  let column: Int
  let `operator`: String
  let original: String
  let replacement: String
  /// The range of bytes that the mutant takes: two mutants do not overlap, or one is inside the other.
  let start: Int
  let end: Int
  let edits: [Edit]
}

/// A text that replaces some bytes, or is inserted between two; `#` in it stands for the switch's number.
struct Edit: Encodable {
  let start: Int
  let end: Int
  let text: String

  init(at start: Int, to end: Int? = nil, _ text: String) {
    self.start = start
    self.end = end ?? start
    self.text = text
  }
}

/// The kinds of changes.
enum Operator: String {
  /// A condition is always true, or always false.
  case condition
  /// An operand of `&&` or `||` no longer matters.
  case operand
  /// `<` becomes `<=`, and so on.
  case boundary
  /// A comparison that is a value is always true, or always false.
  case comparison
  /// A call whose value is not used does not happen.
  case call
  /// An assignment does not happen.
  case assignment
  /// An error is not thrown.
  case `throw`
  /// A function returns at once, or goes on where it would return.
  case `return`
  /// `true` becomes `false`, and so on.
  case constant
  /// An integer is one more, or one less.
  case integer
  /// `+` becomes `-`, and so on; `min` becomes `max`.
  case arithmetic
}
