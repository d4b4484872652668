internal import PushCrypto

/// Opens a blob piece by piece.
///
/// It holds one record at a time. Do not use its output until ``finish()`` has returned: each record is authentic, but
/// the file may be truncated.
public struct BlobOpener: ~Copyable {
  /// Receives the file's pieces, in order.
  public typealias Sink = (Span<UInt8>) throws(AttachmentError) -> Void

  private let descriptor: AttachmentDescriptor
  private let layout: BlobLayout
  private let digest: IncrementalSHA256
  /// The cipher, derived from the header; `nil` until the header is complete.
  private var cipher: RecordCipher?
  private var received: RecordMemory
  private var opened: RecordMemory
  /// How much of the blob was received, in bytes.
  private var position = 0
  private var failure: AttachmentError?

  /// Starts to open the blob of a file of at most `limit` bytes; `nil` means its type's limit.
  ///
  /// A blob that is too large is refused before anything is fetched.
  ///
  /// - Throws: ``AttachmentError/tooLarge(limit:)``, ``AttachmentError/cryptoUnavailable``.
  public init(descriptor: AttachmentDescriptor, limit: Int? = nil) throws(AttachmentError) {
    try self.init(descriptor: descriptor, limit: limit, layout: .standard)
  }

  /// Starts to open a blob with records of any size.
  package init(
    descriptor: AttachmentDescriptor, limit: Int? = nil, layout: BlobLayout
  ) throws(AttachmentError) {
    try descriptor.check(limit: limit ?? descriptor.type.limit, layout: layout)
    guard layout.fileSize(ofBlob: descriptor.size) != nil else { throw .invalidMember(.size) }
    do throws(CryptoError) {
      digest = try IncrementalSHA256()
    } catch {
      throw .cryptoUnavailable
    }
    self.descriptor = descriptor
    self.layout = layout
    received = RecordMemory(capacity: max(layout.recordSize, BlobLayout.headerSize))
    opened = RecordMemory(capacity: layout.recordSize)
  }

  /// Takes the blob's next bytes, and passes the bytes of the file that are ready to `sink`.
  ///
  /// After an error, every further call throws the same error.
  ///
  /// - Throws: ``AttachmentError/wrongSize``, ``AttachmentError/malformedBlob``, ``AttachmentError/notAuthentic``,
  ///   ``AttachmentError/cryptoUnavailable``, and what `sink` throws.
  public mutating func append(_ bytes: Span<UInt8>, to sink: Sink) throws(AttachmentError) {
    if let failure { throw failure }
    do throws(AttachmentError) {
      try take(bytes, to: sink)
    } catch {
      failure = error
      throw error
    }
  }

  /// Finishes the blob.
  ///
  /// Once it returns, the output is the complete file that was sealed.
  ///
  /// - Throws: ``AttachmentError/wrongSize``, ``AttachmentError/wrongDigest`` and any earlier error.
  public consuming func finish() throws(AttachmentError) {
    if let failure { throw failure }
    guard position == descriptor.size else { throw .wrongSize }
    let computed = digest.finish()
    let expected = descriptor.sha256
    guard ConstantTime.equal(computed.span, expected.span) else { throw .wrongDigest }
  }

  private mutating func take(_ bytes: Span<UInt8>, to sink: Sink) throws(AttachmentError) {
    guard bytes.count <= descriptor.size - position else { throw .wrongSize }
    digest.update(bytes)
    var index = 0
    while index < bytes.count {
      // The descriptor's size tells where each part ends, including the last record.
      let whole = cipher == nil ? BlobLayout.headerSize : layout.recordSize
      let missing = min(whole - received.count, descriptor.size - position)
      let count = min(missing, bytes.count - index)
      received.append(bytes.extracting(index..<index + count))
      index += count
      position += count
      guard count == missing else { return }
      if cipher == nil { try readHeader() } else { try openRecord(to: sink) }
      received.removeAll()
    }
  }

  private mutating func readHeader() throws(AttachmentError) {
    guard let header = BlobHeader(decoding: received.bytes), header.recordSize == layout.recordSize else {
      throw .malformedBlob
    }
    cipher = RecordCipher(salt: header.salt.span, key: descriptor.key.exposedBytes)
  }

  private mutating func openRecord(to sink: Sink) throws(AttachmentError) {
    do throws(CryptoError) {
      try cipher?.open(received, into: &opened)
    } catch {
      throw error == .unavailable ? .cryptoUnavailable : .notAuthentic
    }
    let count = try Self.contentSize(of: opened.bytes, isLast: position == descriptor.size)
    if count > 0 { try sink(opened.bytes.extracting(0..<count)) }
  }

  // RFC 8188, 2: a delimiter octet of 2 in the last record and of 1 in all others, then zeros.
  private static func contentSize(of record: Span<UInt8>, isLast: Bool) throws(AttachmentError) -> Int {
    guard let index = record.indices.last(where: { record[$0] != 0 }),
      record[index] == RecordDelimiter(isLast: isLast).rawValue
    else { throw .malformedBlob }
    return index
  }
}
