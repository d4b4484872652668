import PushAttachments
import PushCrypto
import PushCore

/// A blob and its descriptor.
struct Blob {
  var bytes: [UInt8]
  var descriptor: AttachmentDescriptor

  init(_ bytes: [UInt8], _ descriptor: AttachmentDescriptor) {
    self.bytes = bytes
    self.descriptor = descriptor
  }

  /// Seals a file in pieces of these sizes, which are repeated.
  init(
    sealing file: [UInt8], type: AttachmentType = .jpeg, layout: BlobLayout = .standard,
    limit: Int? = nil, pieces: [Int] = [4096]
  ) throws {
    var sealer = try BlobSealer(type: type, limit: limit, layout: layout, random: CountingRandom())
    var bytes: [UInt8] = []
    for range in cut(file.count, into: pieces) {
      try sealer.append(file.span.extracting(range)) { bytes += [UInt8](copying: $0) }
    }
    descriptor = try sealer.finish { bytes += [UInt8](copying: $0) }
    self.bytes = bytes
  }

  /// Opens the blob in pieces of these sizes, which are repeated.
  func open(
    layout: BlobLayout = .standard, limit: Int? = nil, pieces: [Int] = [4096]
  ) throws -> [UInt8] {
    var opener = try BlobOpener(descriptor: descriptor, limit: limit, layout: layout)
    var file: [UInt8] = []
    for range in cut(bytes.count, into: pieces) {
      try opener.append(bytes.span.extracting(range)) { file += [UInt8](copying: $0) }
    }
    try opener.finish()
    return file
  }

  /// Other bytes under the same key, with a descriptor that fits them.
  func replaced(by bytes: [UInt8]) throws -> Blob {
    let described = try descriptor.sized(bytes.count)
    return Blob(bytes, try described.with("sha256", digest(bytes)))
  }
}

extension AttachmentDescriptor {
  /// The same descriptor with another length.
  func sized(_ size: Int) throws -> AttachmentDescriptor {
    try with("size", .number(JSONNumber(size)))
  }

  /// The same descriptor with another value of one member.
  func with(_ member: String, _ value: JSONValue?) throws -> AttachmentDescriptor {
    var object = json()
    object[member] = value
    return try AttachmentDescriptor(parsing: object)
  }
}

/// The digest of bytes as a descriptor has it.
func digest(_ bytes: [UInt8]) -> JSONValue {
  let digest = SHA256.digest(bytes.span)
  return .string(Base64URL.encode(digest.span))
}

/// Bytes without long repetitions.
func file(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) } }

/// A source that counts, so that a key and a salt are never the same.
final class CountingRandom: RandomSource, @unchecked Sendable {
  private var next: UInt8 = 0

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    for index in bytes.indices {
      bytes[index] = next
      next &+= 1
    }
  }
}

private func cut(_ count: Int, into pieces: [Int]) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var start = 0
  while start < count {
    let end = min(count, start + pieces[ranges.count % pieces.count])
    ranges.append(start..<end)
    start = end
  }
  return ranges
}
