/// The keys of one object in order, and where each stands.
///
/// A short list is searched from its start; a long one has a hash table beside it, so that an object with
/// many members costs time in proportion to its size and not to its square.
struct KeyIndex: Sendable {
  /// Up to this many keys a search from the start is quicker than a hash table.
  private static let searchedCount = 16

  private(set) var keys: [String] = []
  private var positions: [ExactString: Int] = [:]

  func position(of key: String) -> Int? {
    let wanted = ExactString(key)
    guard keys.count <= Self.searchedCount else { return positions[wanted] }
    return keys.firstIndex { ExactString($0) == wanted }
  }

  /// Makes room for `count` keys in all.
  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }

  /// Adds a key that is not in the list yet.
  mutating func append(_ key: String) {
    keys.append(key)
    if keys.count == Self.searchedCount + 1 {
      fillPositions()
    } else if keys.count > Self.searchedCount {
      positions[ExactString(key)] = keys.count - 1
    }
  }

  /// Removes the key at a position, in time proportional to the number of keys.
  mutating func remove(at position: Int) {
    keys.remove(at: position)
    positions.removeAll()
    if keys.count > Self.searchedCount {
      fillPositions()
    }
  }

  private mutating func fillPositions() {
    for (position, key) in keys.enumerated() {
      positions[ExactString(key)] = position
    }
  }
}
