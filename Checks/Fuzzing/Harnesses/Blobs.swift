import PushAttachments
import PushCrypto
import PushCore

extension Harness {
  /// Blobs of RFC 8188: a file that opens can be sealed into a blob that opens to the same file, and no altered blob
  /// opens to another file.
  static let blob = Harness(name: "blob") { bytes in
    var input = Input(bytes)
    let layout = input.choice(of: [18, 64, 1000, 65536].map(BlobLayout.init(recordSize:)))
    let pieces = [1 + input.index(below: 400), 1 + input.index(below: 70000)]
    switch input.byte() % 4 {
    case 0: try checkBlob(input.remainder(), layout, pieces)
    case 1: try checkRoundTrip(input.remainder(), layout, pieces)
    case 2: try checkEdits(&input, layout, pieces)
    default: try checkBlob(forged(&input, layout), layout, pieces)
    }
  }

  /// Any bytes, under a descriptor that describes them.
  private static func checkBlob(_ blob: [UInt8], _ layout: BlobLayout, _ pieces: [Int]) throws {
    guard let descriptor = descriptor(of: blob), let file = try? opened(blob, descriptor, layout, pieces)
    else {
      return
    }
    try require(
      file.count <= layout.fileSize(ofBlob: blob.count) ?? -1, "a file is no longer than its blob says")
    try checkRoundTrip(file, layout, pieces)
  }

  private static func checkRoundTrip(_ file: [UInt8], _ layout: BlobLayout, _ pieces: [Int]) throws {
    let (blob, descriptor) = try sealed(file, layout, pieces)
    try require(blob.count == layout.blobSize(ofFile: file.count), "a blob has the size that was announced")
    try require(descriptor.size == blob.count, "a descriptor knows its blob's size")
    try require(try opened(blob, descriptor, layout, pieces.reversed()) == file, "what was sealed opens")
    let again = try AttachmentDescriptor(parsing: descriptor.json())
    try require(
      try opened(blob, again, layout, [blob.count]) == file, "a descriptor that was written reads the same")
  }

  /// A blob that was altered on the way, with the digest of the altered blob.
  private static func checkEdits(_ input: inout Input, _ layout: BlobLayout, _ pieces: [Int]) throws {
    let file = Array(Keys.bytes("file").prefix(input.index(below: 300)))
    let (blob, descriptor) = try sealed(file, layout, pieces)
    let edited = input.edited(blob, beside: Array(blob.reversed()))
    guard edited != blob else { return }
    try require(
      (try? opened(edited, descriptor, layout, pieces)) == nil, "a blob that was altered does not open")
    guard let described = Self.descriptor(of: edited, key: descriptor.json()["key"]) else { return }
    try require(
      (try? opened(edited, described, layout, pieces)) == nil,
      "an altered blob with the right digest does not open")
  }

  /// A blob whose records are the input's pieces, with whatever delimiters they have.
  private static func forged(_ input: inout Input, _ layout: BlobLayout) throws -> [UInt8] {
    let (salt, key) = (Array(Keys.bytes("salt").prefix(16)), key)
    let prk = HKDFSHA256.extract(salt: salt.span) { $0.update(key.span) }
    let contentKey = HKDFSHA256.expand(prk.exposedBytes, count: 16) {
      $0.update("Content-Encoding: aes128gcm\0")
    }
    let base = HKDFSHA256.expand(prk.exposedBytes, count: 12) { $0.update("Content-Encoding: nonce\0") }
    var blob = salt + [UInt8](bigEndian: layout.recordSize, count: 4) + [0]
    var number: UInt8 = 0
    while !input.isEmpty, number < 255 {
      var nonce = [UInt8](copying: base.exposedBytes)
      nonce[11] ^= number
      number += 1
      blob += try AEAD.aes128GCM.seal(
        record(&input, layout).span, authenticating: Span(), key: contentKey.exposedBytes, nonce: nonce.span)
    }
    return blob
  }

  /// A record, of the right size if the input asks for that.
  private static func record(_ input: inout Input, _ layout: BlobLayout) -> [UInt8] {
    let isFilled = input.flag()
    let record = input.piece()
    let missing = layout.recordSize - AEAD.tagSize - record.count
    return isFilled && missing > 0 ? record + [UInt8](repeating: 0, count: missing) : record
  }

  private static let key = Array(Keys.bytes("key").prefix(16))

  /// A descriptor that fits a blob; nil if the blob is shorter than any valid one.
  private static func descriptor(of blob: [UInt8], key: JSONValue? = nil) -> AttachmentDescriptor? {
    let digest = SHA256.digest(blob.span)
    return try? AttachmentDescriptor(parsing: [
      "key": key ?? .string(Base64URL.encode(Self.key.span)),
      "sha256": .string(Base64URL.encode(digest.span)),
      "size": .number(JSONNumber(blob.count)), "type": "image/png",
    ])
  }

  private static func sealed(
    _ file: [UInt8], _ layout: BlobLayout, _ pieces: [Int]
  ) throws -> ([UInt8], AttachmentDescriptor) {
    var sealer = try BlobSealer(type: .png, layout: layout, random: Keys.randomness("blob"))
    var blob: [UInt8] = []
    for range in ranges(file.count, pieces) {
      try sealer.append(file.span.extracting(range)) { blob += [UInt8](copying: $0) }
    }
    let descriptor = try sealer.finish { blob += [UInt8](copying: $0) }
    return (blob, descriptor)
  }

  private static func opened(
    _ blob: [UInt8], _ descriptor: AttachmentDescriptor, _ layout: BlobLayout, _ pieces: [Int]
  ) throws(AttachmentError) -> [UInt8] {
    var opener = try BlobOpener(descriptor: descriptor, layout: layout)
    var file: [UInt8] = []
    for range in ranges(blob.count, pieces) {
      try opener.append(blob.span.extracting(range)) { file += [UInt8](copying: $0) }
    }
    try opener.finish()
    return file
  }

  /// Splits bytes into pieces of these sizes, in turn.
  private static func ranges(_ count: Int, _ pieces: [Int]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < count {
      ranges.append(start..<min(count, start + max(1, pieces[ranges.count % pieces.count])))
      start = ranges[ranges.count - 1].upperBound
    }
    return ranges
  }
}
