extension Input {
  /// `original` after the changes that the rest of the input asks for; unchanged if there are none.
  mutating func edited(_ original: [UInt8], beside other: [UInt8] = []) -> [UInt8] {
    var bytes = original
    while !isEmpty {
      switch byte() % 6 {
      case 0: change(&bytes)
      case 1: remove(&bytes)
      case 2: bytes.insert(byte(), at: index(below: bytes.count + 1))
      case 3: bytes.removeLast(index(below: bytes.count + 1))
      case 4: transplant(other, into: &bytes)
      default: bytes += piece()
      }
    }
    return bytes
  }

  /// Changes bits of one byte.
  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    bytes[index(below: bytes.count)] ^= byte()
  }

  /// Removes bytes from the middle.
  private mutating func remove(_ bytes: inout [UInt8]) {
    let start = index(below: bytes.count + 1)
    bytes.removeSubrange(start..<min(bytes.count, start + Int(byte())))
  }

  /// Puts a part of another message in the same place.
  private mutating func transplant(_ other: [UInt8], into bytes: inout [UInt8]) {
    let start = index(below: min(bytes.count, other.count) + 1)
    let end = min(bytes.count, other.count, start + Int(byte()))
    guard start < end else { return }
    bytes.replaceSubrange(start..<end, with: other[start..<end])
  }
}
