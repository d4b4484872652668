public import PushCore
internal import PushFiles

/// A replay store in a file, which remembers a bounded number of messages across processes and restarts.
///
/// Any number of processes, such as an app and its extension, may share the file, each with its own store. If several
/// record the same message, exactly one is told that it is new. When the store is full, it drops expired messages
/// first, then the oldest, which are ``ReplayVerdict/forgotten`` from then on.
///
/// The file holds SHA-256 hashes and dates, but no plaintext and no key. Whoever has a sender's public key can tell how
/// many messages it sent, but nobody can confirm a guess about the content. Only the owner can read or write it (0600).
/// In an app, put it into an existing folder in the App Group's container.
///
/// A verdict is returned once the record is on disk. A killed process or a power failure loses at most the message that
/// is being recorded, which is then new when it arrives again. On Apple's systems the disk may still have the record in
/// its cache: a power failure can lose the last few messages, but not damage the file. On a disk that confirms writes
/// before it has stored them, it can also damage the file. A damaged file is replaced by an empty one, and its records
/// are lost.
public struct FileReplayStore: ReplayStore {
  /// The most messages that a store can remember: 8192; all are in memory while one is recorded.
  public static let maximumCapacity = 8192

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many messages are remembered.
  public let capacity: Int

  private let file: SmallFile

  /// Makes a store for at most `capacity` messages, without touching the file yet.
  ///
  /// The capacity is clamped to 1 through ``maximumCapacity``. A message takes 112 bytes.
  public init(path: String, capacity: Int = 1024) {
    self.init(path: path, capacity: capacity, patience: .seconds(1))
  }

  /// Makes a store that waits for the file's lock no longer than `patience`.
  package init(path: String, capacity: Int = 1024, patience: Duration) {
    self.path = path
    self.capacity = min(max(1, capacity), Self.maximumCapacity)
    file = SmallFile(
      path: path, maximumSize: ReplayFileFormat.size(of: Self.maximumCapacity), durability: .ordered,
      patience: patience)
  }

  /// Records a message, and returns whether it was recorded before.
  ///
  /// - Throws: ``ReplayStoreError/unavailable`` if the folder does not exist, the file cannot be read or written, or
  ///   others hold the folder's lock for a second; also for a damaged file, which is replaced by one with this message,
  ///   and for a file of a later version, which is left alone.
  public func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict {
    let (record, mark) = (ReplayRecord(entry), ReplayRecord.mark(of: entry.key.messageID))
    let verdict: ReplayVerdict?
    do throws(FileError) {
      verdict = try file.update(overTooLarge: true) { (old) throws(FileError) in
        add(record, markedBy: mark, to: old, at: now)
      }
    } catch {
      throw .unavailable
    }
    guard let verdict else { throw .unavailable }
    return verdict
  }

  /// Forgets a message that was not shown; if the file cannot be changed, the message is a duplicate next time.
  public func forget(_ entry: ReplayEntry) {
    let record = ReplayRecord(entry)
    try? file.update { (old) throws(FileError) in
      guard let old, var ledger = try? ReplayLedger(decoding: old, capacity: capacity) else {
        return (nil, ())
      }
      ledger.forget(record)
      return (ReplayFileFormat.encode(ledger), ())
    }
  }

  /// The file's new bytes, nil if they do not change; and the verdict, nil if there is none.
  private func add(
    _ record: ReplayRecord, markedBy mark: ReplayHash, to old: [UInt8]?, at now: UnixTime
  ) -> (bytes: [UInt8]?, result: ReplayVerdict?) {
    var ledger = ReplayLedger(capacity: capacity)
    var isDamaged = false
    if let old {
      do throws(ReplayFileFormat.Fault) {
        ledger = try ReplayLedger(decoding: old, capacity: capacity)
      } catch .laterVersion {
        return (nil, nil)
      } catch {
        isDamaged = true
      }
    }
    let verdict = ledger.record(record, markedBy: mark, at: now)
    let new = ReplayFileFormat.encode(ledger)
    return (new == old ? nil : new, isDamaged ? nil : verdict)
  }
}

extension ReplayLedger {
  fileprivate init(decoding bytes: [UInt8], capacity: Int) throws(ReplayFileFormat.Fault) {
    let (records, floors) = try ReplayFileFormat.decode(bytes)
    guard let ledger = ReplayLedger(remembered: records, floors: floors, capacity: capacity) else {
      throw .damaged
    }
    self = ledger
  }
}
