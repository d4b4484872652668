import Foundation
import PushCore
import TestSupport
import PushReceiver

extension TemporaryFolder {
  /// A store that waits for others as long as a test may take.
  func store(capacity: Int = 1024) -> FileReplayStore {
    FileReplayStore(path: file, capacity: capacity, patience: HangGuard.patience)
  }
}

/// Both stores, which keep the same rules.
enum ReplayStoreKind: CaseIterable, Sendable {
  case memory, file

  /// An empty store; the file's is another instance each time that it is asked.
  func makeStore(capacity: Int, in folder: TemporaryFolder) -> any ReplayStore {
    switch self {
    case .memory: InMemoryReplayStore(capacity: capacity)
    case .file: Reopening(folder: folder, capacity: capacity)
    }
  }

  private struct Reopening: ReplayStore {
    let folder: TemporaryFolder
    let capacity: Int

    func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict {
      try folder.store(capacity: capacity).record(entry, at: now)
    }

    func forget(_ entry: ReplayEntry) { folder.store(capacity: capacity).forget(entry) }
  }
}

extension ReplayEntry {
  /// An entry that differs from others in what is given.
  static func sample(
    _ message: UInt64, from sender: UInt8? = 1, to recipient: UInt8? = nil, type: ContentType = .notification,
    content: UInt8 = 0, issuedAt: Int64? = nil, expiresAt: Int64 = 1000
  ) -> ReplayEntry {
    let identity = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: message >> ($0 * 8)) : 0 }
    return ReplayEntry(
      key: Key(
        sender: sender.map(thumbprint), recipient: recipient.map(thumbprint), type: type,
        messageID: MessageID(identity)!),
      digest: Array(repeating: content, count: 32),
      issuedAt: UnixTime(clamping: issuedAt ?? Int64(clamping: message)),
      expiresAt: UnixTime(clamping: expiresAt))
  }

  private static func thumbprint(_ byte: UInt8) -> Thumbprint {
    Thumbprint(Array(repeating: byte, count: Thumbprint.size))!
  }
}
