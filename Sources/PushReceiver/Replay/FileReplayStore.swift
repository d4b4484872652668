public import PushEnvelope
internal import PushFiles

/// A replay store in a file, which remembers a bounded number of messages after its process has ended.
///
/// Any number of processes, such as an app and its extension, may share the file, each with a store of its own: of
/// all who record a message exactly one is told that it is the first. When the store is full, what expired goes
/// first, then what was recorded first.
///
/// The file holds SHA-256 hashes, which neither name a sender nor tell a content to somebody who can guess it, and
/// dates: no plaintext and no key. It is its owner's alone (0600), and in an app it belongs
/// in the app group's container, in a folder that exists.
///
/// A verdict is given once the record is on the disk. A killed process, or a power failure, loses at most the
/// message that is being recorded; it is then new when it comes again. Where a disk confirms what it does not keep,
/// a power failure may take the file back by some messages, or damage it. A damaged file is begun anew, and what it
/// remembered is lost.
public struct FileReplayStore: ReplayStore {
  /// The most messages that a store can remember, all of which are in memory while one is recorded: 8192.
  public static let maximumCapacity = 8192

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many messages are remembered.
  public let capacity: Int

  private let file: SmallFile

  /// Names a file for at most `capacity` messages, and touches nothing yet.
  ///
  /// A capacity is brought between 1 and ``maximumCapacity``. A message is 72 bytes.
  public init(path: String, capacity: Int = 1024) {
    self.init(path: path, capacity: capacity, patience: .seconds(1))
  }

  /// Names a file whose lock is waited for no longer than `patience`.
  package init(path: String, capacity: Int = 1024, patience: Duration) {
    self.path = path
    self.capacity = min(max(1, capacity), Self.maximumCapacity)
    file = SmallFile(
      path: path, maximumSize: ReplayFileFormat.size(of: Self.maximumCapacity), patience: patience)
  }

  /// Remembers a message and says whether it was remembered already.
  ///
  /// - Throws: ``ReplayStoreError/unavailable`` if there is no folder, or the file cannot be read or written, or others
  ///   hold the folder's lock for a second; of a damaged file, which is begun anew with this message; of a file of a
  ///   later version, which is left alone.
  public func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict {
    let record = ReplayRecord(entry)
    let verdict: ReplayVerdict?
    do throws(FileError) {
      verdict = try file.update(overTooLarge: true) { (old) throws(FileError) in
        add(record, to: old, at: now)
      }
    } catch {
      throw .unavailable
    }
    guard let verdict else { throw .unavailable }
    return verdict
  }

  /// Forgets a message that was not shown; if the file cannot be changed, it is a duplicate when it comes again.
  public func forget(_ entry: ReplayEntry) {
    let record = ReplayRecord(entry)
    try? file.update { (old) throws(FileError) in
      guard let old, var ledger = try? ReplayLedger(decoding: old, capacity: capacity) else {
        return (nil, ())
      }
      ledger.forget(record)
      return (ReplayFileFormat.encode(ledger.remembered), ())
    }
  }

  /// The file's new bytes, null if it stays as it is; and the verdict, nil if there is none.
  private func add(
    _ record: ReplayRecord, to old: [UInt8]?, at now: UnixTime
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
    let verdict = ledger.record(record, at: now)
    let new = ReplayFileFormat.encode(ledger.remembered)
    return (new == old ? nil : new, isDamaged ? nil : verdict)
  }
}

extension ReplayLedger {
  fileprivate init(decoding bytes: [UInt8], capacity: Int) throws(ReplayFileFormat.Fault) {
    let records = try ReplayFileFormat.decode(bytes)
    guard let ledger = ReplayLedger(records, capacity: capacity) else { throw .damaged }
    self = ledger
  }
}
