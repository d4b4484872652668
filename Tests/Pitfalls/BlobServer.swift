import Locks
import PushAttachments
import PushCore
import PushTesting

/// Where blobs are fetched from.
final class BlobServer: BlobFetcher {
  /// How a blob comes.
  enum Manner {
    case whole, damaged, endless
  }

  private struct Blob {
    var bytes: [UInt8]
    var manner: Manner
  }

  static let pieceSize = 16_384

  /// What a server gives that does not end; enough to see that nobody wants it.
  private static let endlessCount = 1000

  private let blobs = Mutex<[String: Blob]>([:])
  private let pieces = Mutex(0)
  private let onPiece: @Sendable (_ given: Int) -> Void

  /// Serves blobs, and tells after each piece how many bytes of the blob were given.
  init(onPiece: @escaping @Sendable (_ given: Int) -> Void = { _ in }) { self.onPiece = onPiece }

  /// How many pieces were taken.
  var pieceCount: Int { pieces.withLock { $0 } }

  /// Seals a picture, and puts it where the descriptor says.
  func add(_ file: [UInt8], _ manner: Manner = .whole) throws -> AttachmentDescriptor {
    var sealer = try BlobSealer(type: .jpeg)
    var blob: [UInt8] = []
    let collect = { (bytes: Span<UInt8>) throws(AttachmentError) in
      for index in bytes.indices { blob.append(bytes[index]) }
    }
    try sealer.append(file.span, to: collect)
    var descriptor = try sealer.finish(to: collect)
    let sealed = blob
    let address = blobs.withLock { blobs in
      let address = "https://blobs.example.com/\(blobs.count).bin"
      blobs[address] = Blob(bytes: sealed, manner: manner)
      return address
    }
    descriptor.url = try AttachmentURL(address)
    return descriptor
  }

  func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable ([UInt8]) throws(AttachmentError) -> Void
  ) async throws {
    guard var blob = blobs.withLock({ $0[url.text] }) else { throw AttachmentError.missingURL }
    switch blob.manner {
    case .whole: break
    case .damaged: blob.bytes[blob.bytes.count / 2] ^= 1
    case .endless: blob.bytes += [UInt8](repeating: 0, count: Self.endlessCount * Self.pieceSize)
    }
    for start in stride(from: 0, to: blob.bytes.count, by: Self.pieceSize) {
      let end = min(start + Self.pieceSize, blob.bytes.count)
      try receive(Array(blob.bytes[start..<end]))
      pieces.withLock { $0 += 1 }
      onPiece(end)
    }
  }
}
