import PushReceiver
import Testing

/// A compiled `.strings` file that is wrong in one place.
struct LocalizationBinaryTests {
  /// A list of objects, as Foundation writes it, with the trailer's parts to choose.
  private struct File {
    var objects: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61], [0x61, 0x00, 0xE9]]
    var offsets: [UInt64]?
    var offsetSize: UInt8 = 1
    var referenceSize: UInt8 = 1
    var count: UInt64?
    var top: UInt64 = 0
    var table: UInt64?

    var bytes: [UInt8] {
      var bytes = Array("bplist00".utf8)
      var places: [UInt64] = []
      for object in objects {
        places.append(UInt64(bytes.count))
        bytes += object
      }
      let table = table ?? UInt64(bytes.count)
      for place in offsets ?? places { bytes += Self.bigEndian(place).suffix(Int(min(offsetSize, 8))) }
      bytes += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
      return bytes + [count ?? UInt64(objects.count), top, table].flatMap(Self.bigEndian)
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  private func expectMalformed(
    _ change: (inout File) -> Void, at location: SourceLocation = #_sourceLocation
  ) {
    var file = File()
    change(&file)
    #expect(throws: StringTableError.malformedBinaryPropertyList, sourceLocation: location) {
      try StringTable(bytes: file.bytes)
    }
  }

  @Test("a right one")
  func right() throws {
    #expect(try StringTable(bytes: File().bytes) == StringTable("a = \"é\";"))
    #expect(try StringTable(bytes: File(objects: [[0xD0]]).bytes) == StringTable(""))
    var wide = File(offsetSize: 8)
    wide.objects[1] = [0x5F, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 0x61]
    #expect(try StringTable(bytes: wide.bytes) == StringTable("a = \"é\";"))
  }

  @Test("the last of two entries of one key stays")
  func duplicate() throws {
    let file = File(objects: [[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x51, 0x62], [0x51, 0x63]])
    #expect(try StringTable(bytes: file.bytes) == StringTable("a = c;"))
  }

  @Test("the trailer")
  func trailer() {
    expectMalformed { $0.offsetSize = 0 }
    expectMalformed { $0.offsetSize = 9 }
    expectMalformed { $0.referenceSize = 0 }
    expectMalformed { $0.referenceSize = 9 }
    expectMalformed { $0.count = 4 }
    expectMalformed { $0.count = .max }
    expectMalformed { $0.count = UInt64(Int.max) }
    expectMalformed { $0.count = 0 }
    expectMalformed { $0.top = 3 }
    expectMalformed { $0.top = UInt64(Int.max) }
    expectMalformed { $0.table = .max }
    expectMalformed { $0.table = 7 }
    expectMalformed { $0.table = 1000 }
  }

  @Test("offsets")
  func offsets() {
    expectMalformed { $0.offsets = [8, 7, 13] }
    expectMalformed { $0.offsets = [8, 16, 13] }
    expectMalformed { $0.offsets = [255, 11, 13] }
    expectMalformed {
      $0.offsetSize = 8
      $0.offsets = [8, .max, 13]
    }
  }

  @Test("the dictionary")
  func dictionary() {
    expectMalformed { $0.objects[0] = [0xA1, 1, 2] }
    expectMalformed { $0.objects[0] = [0x51, 0x61] }
    expectMalformed { $0.objects[0] = [0xD1, 1, 3] }
    expectMalformed { $0.objects[0] = [0xD1, 1, 0] }
    expectMalformed { $0.objects[0] = [0xDE, 1, 2] }
    expectMalformed { $0.objects[0] = [0xDF, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255, 1, 2] }
    expectMalformed { $0.objects[0] = [0xDF, 0x13, 0xFF, 255, 255, 255, 255, 255, 255, 255, 1, 2] }
    expectMalformed { $0.objects[0] = [0xDF, 0x14] + Array(repeating: 0, count: 15) + [1, 1, 2] }
    expectMalformed { $0.objects[0] = [0xDF, 0x51, 1, 1, 2] }
  }

  @Test("strings")
  func strings() {
    expectMalformed { $0.objects[1] = [0x51, 0x80] }
    expectMalformed { $0.objects[1] = [0x71, 0x61] }
    expectMalformed { $0.objects[1] = [0x10, 0x61] }
    expectMalformed { $0.objects[2] = [0x62, 0x00, 0xE9] }
    expectMalformed { $0.objects[2] = [0x52, 0x61] }
    expectMalformed { $0.objects[2] = [0x5F] }
    expectMalformed { $0.objects[2] = [0x5F, 0x10] }
    expectMalformed { $0.objects[2] = [0x6F, 0x10, 0x10] }
  }

  @Test("strings that share their bytes are limited together")
  func sharing() {
    let size: UInt32 = 1_000_000
    let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    let keys: [[UInt8]] = (1...9).map { [0x51, 0x60 + UInt8($0)] }
    let long = [0x5F, 0x12] + length + Array(repeating: 0x61, count: Int(size))
    let references = Array(1...9 as ClosedRange<UInt8>) + Array(repeating: 10, count: 9)
    let file = File(objects: [[0xD9] + references] + keys + [long], offsetSize: 4)
    #expect(throws: StringTableError.tooLarge) { try StringTable(bytes: file.bytes) }
  }

  @Test("more than 100,000 entries")
  func count() {
    let dictionary: [UInt8] = [0xDF, 0x12, 0x00, 0x01, 0x86, 0xA1] + Array(repeating: 1, count: 200_002)
    let file = File(objects: [dictionary, [0x51, 0x61]], offsetSize: 4)
    #expect(throws: StringTableError.tooManyEntries) { try StringTable(bytes: file.bytes) }
  }
}
