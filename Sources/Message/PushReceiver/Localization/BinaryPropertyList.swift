/// A compiled `.strings` file: a binary property list that is a flat dictionary of strings.
///
/// Every offset and count is checked against the file before use. Strings may share bytes, so their total is limited as
/// well.
struct BinaryPropertyList {
  static let magic = Array("bplist00".utf8)
  private static let trailerSize = 32
  /// The most bytes of strings; a string counts once for each reference to it.
  private static let maximumTextSize = 2 * StringTable.maximumSize

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let topObject: Int
  /// The end of the objects, where the table of offsets starts.
  private let offsets: Int

  init(parsing bytes: [UInt8]) throws(StringTableError) {
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerSize
    guard trailer > Self.magic.count,
      let objectCount = Self.integer(in: bytes, at: trailer + 8, size: 8),
      let topObject = Self.integer(in: bytes, at: trailer + 16, size: 8),
      let offsets = Self.integer(in: bytes, at: trailer + 24, size: 8)
    else { throw .malformedBinaryPropertyList }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard 1...8 ~= offsetSize, 1...8 ~= referenceSize, Self.magic.count..<trailer ~= offsets,
      objectCount <= (trailer - offsets) / offsetSize
    else { throw .malformedBinaryPropertyList }
    self.objectCount = objectCount
    self.topObject = topObject
    self.offsets = offsets
  }

  /// The top-level dictionary.
  func table() throws(StringTableError) -> StringTable {
    let top = try object(at: topObject)
    guard top.type == 0xD, top.count <= (offsets - top.start) / (2 * referenceSize) else {
      throw .malformedBinaryPropertyList
    }
    guard top.count <= StringTable.maximumCount else { throw .tooManyEntries }
    var table = StringTable()
    var room = Self.maximumTextSize
    for index in 0..<top.count {
      let key = top.start + index * referenceSize
      let value = key + top.count * referenceSize
      try table.add(text(referredAt: value, room: &room), forKey: text(referredAt: key, room: &room))
    }
    return table
  }

  private func text(referredAt place: Int, room: inout Int) throws(StringTableError) -> String {
    guard let reference = Self.integer(in: bytes, at: place, size: referenceSize) else {
      throw .malformedBinaryPropertyList
    }
    let object = try object(at: reference)
    // 5: ASCII, 6: UTF-16, big endian; the count is of characters.
    let unitSize = object.type == 6 ? 2 : 1
    guard object.type == 5 || object.type == 6, object.count <= (offsets - object.start) / unitSize else {
      throw .malformedBinaryPropertyList
    }
    room -= object.count * unitSize
    guard room >= 0 else { throw .tooLarge }
    let text = bytes[object.start..<(object.start + object.count * unitSize)]
    guard unitSize == 1 else {
      return String(decoding: try StringsReader.units(ofUTF16: text, isBigEndian: true), as: UTF16.self)
    }
    guard text.allSatisfy({ $0 < 0x80 }) else { throw .malformedBinaryPropertyList }
    return String(decoding: text, as: UTF8.self)
  }

  /// An object's type, its count of characters or entries, and where these start: never after the objects' end.
  private func object(at reference: Int) throws(StringTableError) -> (type: UInt8, count: Int, start: Int) {
    guard reference < objectCount,
      let offset = Self.integer(in: bytes, at: offsets + reference * offsetSize, size: offsetSize),
      Self.magic.count..<offsets ~= offset
    else { throw .malformedBinaryPropertyList }
    let type = bytes[offset] >> 4
    let low = Int(bytes[offset] & 0xF)
    guard low == 0xF else { return (type, low, offset + 1) }
    // A count of 15 or more is a separate integer object: 0x1n with 2^n bytes.
    let size = 1 << Int(bytes[offset + 1] & 0xF)
    guard bytes[offset + 1] >> 4 == 1, offset + 2 + size <= offsets,
      let count = Self.integer(in: bytes, at: offset + 2, size: size)
    else { throw .malformedBinaryPropertyList }
    return (type, count, offset + 2 + size)
  }

  /// An integer of 1 to 8 bytes, big endian; nil if it is outside the file, or 2^63 or more.
  private static func integer(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
    guard 1...8 ~= size, 0...(bytes.count - size) ~= offset else { return nil }
    return Int(exactly: bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
