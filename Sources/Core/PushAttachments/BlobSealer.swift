package import PushCrypto

/// Seals a file piece by piece into a blob to upload: RFC 8188's `aes128gcm` under the blob's own key.
///
/// It holds one record at a time. It cannot be used after an error.
public struct BlobSealer: ~Copyable {
  /// Receives the blob's pieces, in order.
  public typealias Sink = (Span<UInt8>) throws(AttachmentError) -> Void

  private let type: AttachmentType
  private let limit: Int
  private let layout: BlobLayout
  private let key: SharedSecret
  private let header: [UInt8]
  private var cipher: RecordCipher
  private let digest: IncrementalSHA256
  private var content: RecordMemory
  private var sealed: RecordMemory
  private var fileSize = 0
  private var blobSize = 0

  /// Starts the blob of a file of at most `limit` bytes; `nil` means its type's limit.
  ///
  /// - Throws: ``AttachmentError/cryptoUnavailable``.
  public init(type: AttachmentType, limit: Int? = nil) throws(AttachmentError) {
    try self.init(type: type, limit: limit, layout: .standard, random: SystemRandom())
  }

  /// Starts a blob whose key and salt, in this order, come from `random`.
  package init(
    type: AttachmentType, limit: Int? = nil, layout: BlobLayout, random: any RandomSource
  ) throws(AttachmentError) {
    let key = SharedSecret(random.secret(count: AEAD.aes128GCM.keySize))
    let salt = random.secret(count: BlobHeader.saltSize)
    self.key = key
    header = BlobHeader(salt: [UInt8](copying: salt.exposedBytes), recordSize: layout.recordSize).encoded()
    cipher = RecordCipher(salt: salt.exposedBytes, key: key.exposedBytes)
    do throws(CryptoError) {
      digest = try IncrementalSHA256()
    } catch {
      throw .cryptoUnavailable
    }
    self.type = type
    self.limit = limit ?? type.limit
    self.layout = layout
    content = RecordMemory(capacity: layout.contentSize + 1)
    sealed = RecordMemory(capacity: layout.recordSize)
  }

  /// Takes the file's next bytes, and passes the bytes of the blob that are ready to `sink`.
  ///
  /// - Throws: ``AttachmentError/tooLarge(limit:)``, ``AttachmentError/cryptoUnavailable``, and what `sink` throws.
  public mutating func append(_ bytes: Span<UInt8>, to sink: Sink) throws(AttachmentError) {
    guard bytes.count <= limit - fileSize else { throw .tooLarge(limit: limit) }
    fileSize += bytes.count
    var position = 0
    while position < bytes.count {
      // A full record waits for the next byte: without one, it is the last record.
      if content.count == layout.contentSize { try sealRecord(isLast: false, to: sink) }
      let end = min(bytes.count, position + layout.contentSize - content.count)
      content.append(bytes.extracting(position..<end))
      position = end
    }
  }

  /// Finishes the file: passes the rest of the blob to `sink`, and returns the blob's descriptor.
  ///
  /// - Throws: ``AttachmentError/cryptoUnavailable``, and what `sink` throws.
  public consuming func finish(to sink: Sink) throws(AttachmentError) -> AttachmentDescriptor {
    try sealRecord(isLast: true, to: sink)
    return AttachmentDescriptor(key: key, sha256: digest.finish(), size: blobSize, type: type)
  }

  private mutating func sealRecord(isLast: Bool, to sink: Sink) throws(AttachmentError) {
    if blobSize == 0 {
      blobSize = header.count
      try handOver(header.span, to: sink)
    }
    content.append(RecordDelimiter(isLast: isLast).rawValue)
    do throws(CryptoError) {
      try cipher.seal(content, into: &sealed)
    } catch {
      throw .cryptoUnavailable
    }
    content.removeAll()
    blobSize += sealed.count
    try handOver(sealed.bytes, to: sink)
  }

  private borrowing func handOver(_ bytes: Span<UInt8>, to sink: Sink) throws(AttachmentError) {
    digest.update(bytes)
    try sink(bytes)
  }
}
