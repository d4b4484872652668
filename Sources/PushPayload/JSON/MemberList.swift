/// The members of an object in order, found by their keys.
///
/// A short list is searched linearly. A long list has a hash table, so that reading an object with many members takes
/// linear, not quadratic, time.
struct MemberList<Value: Sendable>: Sendable {
  /// The members in order.
  private(set) var all: [(key: String, value: Value)] = []

  /// The positions of the keys of a long list; empty for a short one.
  private var positions: [ExactString: Int] = [:]

  /// Up to this many keys, linear search is faster than a hash table.
  private static var searchedCount: Int { 16 }

  /// The position of a key, or nil if there is no such member.
  func position(of key: String) -> Int? {
    let wanted = ExactString(key)
    guard all.count <= Self.searchedCount else { return positions[wanted] }
    return all.firstIndex { ExactString($0.key) == wanted }
  }

  /// The value at a position.
  subscript(position: Int) -> Value {
    get { all[position].value }
    set { all[position].value = newValue }
  }

  /// Reserves memory for `count` members in total.
  mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

  /// Adds a member whose key is not in the list yet.
  mutating func append(_ key: String, _ value: Value) {
    all.append((key, value))
    if all.count == Self.searchedCount + 1 {
      fillPositions()
    } else if all.count > Self.searchedCount {
      positions[ExactString(key)] = all.count - 1
    }
  }

  /// Removes the member at a position, in time proportional to the number of members.
  mutating func remove(at position: Int) -> Value {
    let member = all.remove(at: position)
    positions.removeAll()
    if all.count > Self.searchedCount {
      fillPositions()
    }
    return member.value
  }

  private mutating func fillPositions() {
    for (position, member) in all.enumerated() {
      positions[ExactString(member.key)] = position
    }
  }
}
