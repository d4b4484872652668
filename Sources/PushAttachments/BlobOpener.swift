internal import PushCrypto

/// Turns a blob, piece by piece, back into the file, and trusts nothing of either before its end.
///
/// It holds one record at a time. What it hands over before ``finish()`` has returned is for a place that nobody
/// reads yet: each record is authentic, but the file may be cut.
public struct BlobOpener: ~Copyable {
  /// What takes the file's pieces, in order.
  public typealias Sink = (Span<UInt8>) throws(AttachmentError) -> Void

  private let descriptor: AttachmentDescriptor
  private let layout: BlobLayout
  private let digest: IncrementalSHA256
  /// What the header gave.
  private var cipher: RecordCipher?
  private var received: RecordMemory
  private var opened: RecordMemory
  /// How much of the blob has come.
  private var position = 0
  private var failure: AttachmentError?

  /// Starts to open the blob of a file of at most `limit` bytes; null: its type's limit.
  ///
  /// Nothing needs to be fetched to hear that it is too large.
  ///
  /// - Throws: ``AttachmentError/tooLarge(limit:)``, ``AttachmentError/cryptoUnavailable``.
  public init(_ descriptor: AttachmentDescriptor, limit: Int? = nil) throws(AttachmentError) {
    try self.init(descriptor, limit: limit, layout: .standard)
  }

  /// Starts to open a blob with records of any size.
  package init(
    _ descriptor: AttachmentDescriptor, limit: Int? = nil, layout: BlobLayout
  ) throws(AttachmentError) {
    try descriptor.check(limit: limit ?? descriptor.type.limit, layout)
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

  /// Takes the blob's next bytes, and hands over what of the file is ready.
  ///
  /// An error stays: whatever comes after it gives the same one.
  ///
  /// - Throws: ``AttachmentError/wrongSize``, ``AttachmentError/malformedBlob``, ``AttachmentError/notAuthentic``,
  ///   ``AttachmentError/cryptoUnavailable``, and what `sink` throws.
  public mutating func append(_ bytes: Span<UInt8>, to sink: Sink) throws(AttachmentError) {
    if let failure { throw failure }
    do throws(AttachmentError) {
      try take(bytes, sink)
    } catch {
      failure = error
      throw error
    }
  }

  /// Ends the blob: only when this has returned is the file the one that was sealed.
  ///
  /// - Throws: ``AttachmentError/wrongSize``, ``AttachmentError/wrongDigest``, and any earlier error.
  public consuming func finish() throws(AttachmentError) {
    if let failure { throw failure }
    guard position == descriptor.size else { throw .wrongSize }
    let computed = digest.finish()
    let expected = descriptor.sha256
    guard ConstantTime.equal(computed.span, expected.span) else { throw .wrongDigest }
  }

  private mutating func take(_ bytes: Span<UInt8>, _ sink: Sink) throws(AttachmentError) {
    guard bytes.count <= descriptor.size - position else { throw .wrongSize }
    digest.update(bytes)
    var index = 0
    while index < bytes.count {
      // The size says where each part ends, the last record too.
      let whole = cipher == nil ? BlobLayout.headerSize : layout.recordSize
      let missing = min(whole - received.count, descriptor.size - position)
      let count = min(missing, bytes.count - index)
      received.append(bytes.extracting(index..<index + count))
      index += count
      position += count
      guard count == missing else { return }
      if cipher == nil { try readHeader() } else { try openRecord(sink) }
      received.removeAll()
    }
  }

  private mutating func readHeader() throws(AttachmentError) {
    guard let header = BlobHeader(decoding: received.bytes), header.recordSize == layout.recordSize else {
      throw .malformedBlob
    }
    cipher = RecordCipher(salt: header.salt.span, key: descriptor.key.exposedBytes)
  }

  private mutating func openRecord(_ sink: Sink) throws(AttachmentError) {
    do throws(CryptoError) {
      try cipher?.open(received, into: &opened)
    } catch {
      throw error == .unavailable ? .cryptoUnavailable : .notAuthentic
    }
    let count = try Self.contentSize(opened.bytes, isLast: position == descriptor.size)
    if count > 0 { try sink(opened.bytes.extracting(0..<count)) }
  }

  // RFC 8188, 2: a delimiter octet of 2 in the last record and of 1 in all others, then zeros.
  private static func contentSize(_ record: Span<UInt8>, isLast: Bool) throws(AttachmentError) -> Int {
    guard let index = record.indices.last(where: { record[$0] != 0 }),
      record[index] == RecordDelimiter(isLast: isLast).rawValue
    else { throw .malformedBlob }
    return index
  }
}
