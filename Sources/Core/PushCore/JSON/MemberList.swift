/// The members of an object in order, found by their keys.
///
/// A short list is searched linearly. A long list has a hash table, so that reading an object with many members takes
/// linear, not quadratic, time.
struct MemberList<Value> {
  /// The members in order.
  private(set) var all: [(key: String, value: Value)] = []

  /// The positions of the keys of a long list; nil for a short one.
  private var positions: [ExactString: Int]?

  /// Up to this many keys, linear search is faster than a hash table.
  private static var searchedCount: Int { 16 }

  /// The position of a key, or nil if there is no such member.
  func position(of key: String) -> Int? {
    let wanted = ExactString(key)
    if let positions { return positions[wanted] }
    let count = key.utf8.count
    // `firstIndex` would copy each member. Most keys differ in length, which is fast to compare.
    for position in all.indices where all[position].key.utf8.count == count {
      if ExactString(all[position].key) == wanted { return position }
    }
    return nil
  }

  /// The value at a position.
  subscript(position: Int) -> Value {
    get { all[position].value }
    set { all[position].value = newValue }
  }

  /// Reserves memory for `count` members in total.
  mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

  /// Adds a member whose key is not in the list yet.
  mutating func append(key: consuming String, value: consuming Value) {
    if positions != nil { positions?[ExactString(copy key)] = all.count }
    all.append((key, value))
    if positions == nil, all.count > Self.searchedCount { fillPositions() }
  }

  /// Removes the member at a position, in time proportional to the number of members.
  mutating func remove(at position: Int) -> Value {
    let member = all.remove(at: position)
    positions = nil
    if all.count > Self.searchedCount { fillPositions() }
    return member.value
  }

  private mutating func fillPositions() {
    var positions: [ExactString: Int] = [:]
    for (position, member) in all.enumerated() { positions[ExactString(member.key)] = position }
    self.positions = positions
  }
}

extension MemberList: Sendable where Value: Sendable {}
