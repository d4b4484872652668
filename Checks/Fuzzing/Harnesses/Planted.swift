extension Harness {
  /// Planted faults: a fuzzer that does not find them would find nothing.
  public static let planted = [plantedProperty, plantedOverflow]

  /// A property that four certain bytes in a row break.
  private static let plantedProperty = Harness(name: "planted-property") { bytes in
    guard bytes.count >= 4, bytes[0] == UInt8(ascii: "p") else { return }
    guard bytes[1] == UInt8(ascii: "u") else { return }
    guard bytes[2] == UInt8(ascii: "s") else { return }
    try require(bytes[3] != UInt8(ascii: "h"), "planted")
  }

  /// A read beyond the end of memory, which only the address sanitizer sees.
  private static let plantedOverflow = Harness(name: "planted-overflow") { bytes in
    guard bytes.first == UInt8(ascii: "o") else { return }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(repeating: 0, count: 16)
    let place = bytes.count > 1 ? Int(bytes[1]) : 0
    try require(unsafe memory[place] != 1, "planted")
  }
}
