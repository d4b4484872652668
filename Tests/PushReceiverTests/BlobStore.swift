import Foundation
import Locks
import PushAttachments
import PushTesting
import TestSupport

/// Where blobs are, and what can go wrong with them.
final class BlobStore: BlobFetcher {
  enum Fault: CaseIterable {
    case missing, short, long, flipped

    /// What the log says of it.
    var code: String {
      switch self {
      case .missing: "failed"
      case .short, .long: "wrong-size"
      case .flipped: "not-authentic"
      }
    }
  }

  private struct Missing: Error {}

  private struct Blob {
    var bytes: [UInt8]
    var fault: Fault?
    var hangs: Bool
  }

  static let picture = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  private let state = Mutex<(blobs: [String: Blob], fetches: Int)>(([:], 0))
  private let hang = Signal()

  var fetches: Int { state.withLock(\.fetches) }

  /// Seals a picture, and puts it where the descriptor says.
  func add(_ file: [UInt8], fault: Fault? = nil, hangs: Bool = false) throws -> AttachmentDescriptor {
    var sealer = try BlobSealer(type: .jpeg)
    var blob: [UInt8] = []
    let collect = { (bytes: Span<UInt8>) throws(AttachmentError) in
      for index in bytes.indices { blob.append(bytes[index]) }
    }
    try sealer.append(file.span, to: collect)
    var descriptor = try sealer.finish(to: collect)
    let address = state.withLock { "https://blobs.example.com/\($0.blobs.count)" }
    descriptor.url = try AttachmentURL(address)
    state.withLock { $0.blobs[address] = Blob(bytes: blob, fault: fault, hangs: hangs) }
    return descriptor
  }

  func waitForHang() async { await hang.wait() }

  func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable ([UInt8]) throws(AttachmentError) -> Void
  ) async throws {
    let blob = state.withLock { state in
      state.fetches += 1
      return state.blobs[url.text]
    }
    guard let blob, blob.fault != .missing else { throw Missing() }
    if blob.hangs {
      hang.fire()
      await Signal().wait()
    }
    var bytes = blob.bytes
    switch blob.fault {
    case .short: bytes.removeLast()
    case .long: bytes.append(0)
    case .flipped: bytes[bytes.count / 2] ^= 1
    case .missing, nil: break
    }
    for start in stride(from: 0, to: bytes.count, by: 10_000) {
      try receive(Array(bytes[start..<min(start + 10_000, bytes.count)]))
    }
  }
}

extension TemporaryFolder {
  /// Makes a file that was last written to `age` seconds ago.
  func make(_ name: String, age: Int) throws {
    let url = URL(fileURLWithPath: path(of: name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1]).write(to: url)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -Double(age))], ofItemAtPath: url.path)
  }
}
