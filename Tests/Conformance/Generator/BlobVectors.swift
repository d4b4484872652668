import PushAttachments
import PushCrypto
import PushCore

/// Blobs that open, made by the sealer or by another one, and blobs that do not, each with one fault.
struct BlobVectors {
  /// The most content in a record, in bytes.
  private static let contentSize = 65519

  func all() throws -> [BlobVector] {
    try sealers() + others() + sizeFaults() + headerFaults() + recordFaults() + delimiterFaults()
      + digestFaults()
  }

  private func sealers() throws -> [BlobVector] {
    [
      try sealed("blob-empty-file", "an empty file, which takes a record too", .bytes([])),
      try sealed("blob-1-byte", "one byte", .bytes([0x2a])),
      try sealed("blob-ends-in-zeros", "zeros at the file's end are content", .bytes([7, 0, 0, 0])),
      try sealed(
        "blob-full-record", "exactly one full record", .repeated(0x41, count: Self.contentSize)),
      try sealed(
        "blob-two-records", "one byte more, which takes a second record",
        .repeated(0x42, count: Self.contentSize + 1)),
    ]
  }

  private func others() throws -> [BlobVector] {
    [
      try opened("blob-padded", "zeros behind the delimiter", [Array("Lunch".utf8) + [2, 0, 0, 0]]),
      try opened(
        "blob-padded-empty", "an empty file in a padded record", [[2] + [UInt8](repeating: 0, count: 40)]),
    ]
  }

  private func sizeFaults() throws -> [BlobVector] {
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("cut", "the last byte is missing", { Array($0.dropLast()) }),
      ("appended", "a byte more than described, behind a blob that is right", { $0 + [0] }),
      ("absent", "nothing came", { _ in [] }),
      ("header-alone", "no record came", { Array($0.prefix(21)) }),
    ]
    return try changes.map { name, comment, change in
      let forge = BlobForge("blob-\(name)")
      let whole = try forge.blob()
      return refused(forge, "10.9", .wrongSize, comment, change(whole), describing: whole)
    }
  }

  private func headerFaults() throws -> [BlobVector] {
    let sizes = try [0, 4096, 65535, 65537, 0x0100_0000].map { size in
      try faulty("blob-record-size-\(size)", "10.10", .malformedBlob, "another record size") {
        $0.recordSize = size
      }
    }
    return sizes + [
      try faulty("blob-key-id", "10.10", .malformedBlob, "a key id") { $0.keyID = Array("a1".utf8) }
    ]
  }

  private func recordFaults() throws -> [BlobVector] {
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("tag-flipped", "a bit of the tag", { $0.dropLast() + [$0[$0.count - 1] ^ 1] }),
      ("content-flipped", "a bit of the content", { $0.prefix(21) + [$0[21] ^ 0x80] + $0.dropFirst(22) }),
      ("salt-flipped", "a bit of the salt", { [$0[0] ^ 1] + $0.dropFirst() }),
      ("cut-and-described", "the last byte is missing, and described so", { Array($0.dropLast()) }),
      ("appended-and-described", "a byte more, and described so", { $0 + [0] }),
    ]
    let changed = try changes.map { name, comment, change in
      let forge = BlobForge("blob-\(name)")
      let blob = change(try forge.blob())
      return refused(forge, "10.11", .notAuthentic, comment, blob, describing: blob)
    }
    let forge = BlobForge("blob-other-key")
    let blob = try forge.blob()
    var descriptor = forge.descriptor(of: blob)
    descriptor["key"] = "AAECAwQFBgcICQoLDA0ODw"
    return changed + [
      try faulty("blob-record-number", "10.11", .notAuthentic, "the first record is encrypted as the second")
      {
        $0.firstNumber = 1
      },
      try faulty("blob-aad", "10.11", .notAuthentic, "additional data") { $0.aad = [0] },
      refused(forge, "10.11", .notAuthentic, "another key", blob, descriptor),
    ]
  }

  private func delimiterFaults() throws -> [BlobVector] {
    let full = [UInt8](repeating: 0x44, count: Self.contentSize)
    let faults: [(String, String, [[UInt8]])] = [
      ("zeros", "no delimiter, zeros alone", [[0, 0, 0]]),
      ("delimiter-1", "the last record says that another one follows", [[7, 1]]),
      ("delimiter-3", "a delimiter that means nothing", [[7, 3]]),
      ("dirty", "a byte behind the delimiter that is not zero", [[7, 2, 0, 9]]),
      ("delimiter-2-first", "the first record of two says that it is the last", [full + [2], [7, 2]]),
    ]
    return try faults.map { name, comment, records in
      try faulty("blob-\(name)", "10.12", .malformedBlob, comment) { $0.records = records }
    }
  }

  private func digestFaults() throws -> [BlobVector] {
    let digests: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("digest-of-file", "the digest is the file's, not the blob's", { _ in Array("Lunch".utf8) }),
      ("digest-other", "the digest of another blob", { $0 + [0] }),
    ]
    return try digests.map { name, comment, change in
      let forge = BlobForge("blob-\(name)")
      let blob = try forge.blob()
      var descriptor = forge.descriptor(of: blob)
      let digested = change(blob)
      let digest = SHA256.digest(digested.span)
      descriptor["sha256"] = .string(Base64URL.encode(digest.span))
      return refused(forge, "10.13", .wrongDigest, comment, blob, descriptor)
    }
  }

  private func sealed(_ id: String, _ comment: String, _ file: VectorFile) throws -> BlobVector {
    var sealer = try BlobSealer(type: .png, layout: .standard, random: SequentialRandomness(label: id))
    var blob: [UInt8] = []
    let bytes = file.bytes
    try sealer.append(bytes.span) { blob += [UInt8](copying: $0) }
    _ = try sealer.finish { blob += [UInt8](copying: $0) }
    let forge = BlobForge(id)
    return BlobVector(
      id: id, comment: comment, descriptor: forge.descriptor(of: blob), blob: blob,
      expect: .opened(file, salt: forge.salt, isSealers: true))
  }

  private func opened(_ id: String, _ comment: String, _ records: [[UInt8]]) throws -> BlobVector {
    let forge = BlobForge(id, records)
    let blob = try forge.blob()
    // Each record's content ends before its delimiter, the last byte that is not zero.
    let file = records.flatMap { record in record.prefix(record.lastIndex { $0 != 0 } ?? 0) }
    return BlobVector(
      id: id, comment: comment, descriptor: forge.descriptor(of: blob), blob: blob,
      expect: .opened(.bytes(file), salt: forge.salt, isSealers: false))
  }

  private func faulty(
    _ id: String, _ rule: String, _ error: AttachmentError, _ comment: String,
    _ change: (inout BlobForge) -> Void
  ) throws -> BlobVector {
    var forge = BlobForge(id)
    change(&forge)
    let blob = try forge.blob()
    return refused(forge, rule, error, comment, blob, describing: blob)
  }

  private func refused(
    _ forge: BlobForge, _ rule: String, _ error: AttachmentError, _ comment: String, _ blob: [UInt8],
    describing described: [UInt8]
  ) -> BlobVector {
    refused(forge, rule, error, comment, blob, forge.descriptor(of: described))
  }

  private func refused(
    _ forge: BlobForge, _ rule: String, _ error: AttachmentError, _ comment: String, _ blob: [UInt8],
    _ descriptor: JSONObject
  ) -> BlobVector {
    BlobVector(
      id: forge.label, comment: comment, descriptor: descriptor, blob: blob,
      expect: .refused(rule: rule, error))
  }
}
