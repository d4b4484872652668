internal import CSodium

extension [UInt8] {
  /// Overwrites the array with zeros, where it stands if this is its only owner, and empties it.
  ///
  /// For bytes that had to be an array. It cannot reach copies made earlier, so the array must have had its
  /// capacity from the start.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    removeAll()
  }
}
