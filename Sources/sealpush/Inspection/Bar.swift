/// Parts of a whole as a line of characters.
enum Bar {
  /// A line of `width` characters, in which every part that is not empty has at least one, and otherwise as many as it
  /// has a share.
  ///
  /// Parts below zero are left out. There must not be more parts than `width`.
  static func draw(_ parts: [(mark: Character, count: Int)], width: Int) -> String {
    let parts = parts.filter { $0.count > 0 }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return String(repeating: " ", count: width) }
    var widths = parts.map { max(1, $0.count * width / total) }
    // What rounding left over goes to the largest part, or is taken from it.
    if let largest = widths.indices.max(by: { parts[$0].count < parts[$1].count }) {
      widths[largest] += width - widths.reduce(0, +)
    }
    return zip(parts, widths).map { String(repeating: $0.mark, count: max(0, $1)) }.joined()
  }
}
