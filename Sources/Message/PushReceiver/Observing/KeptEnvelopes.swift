internal import PushCore
internal import PushFiles

/// Keeps the envelopes that came while the keys could not be read, for the app to open after the first unlock.
///
/// The extension has one among its observers, which keeps each push that degrades for ``DegradeReason/keyLocked``. The
/// app calls ``openAll(with:handling:)`` on another one with the same path. The file holds only ciphertext, as APNs
/// carried it: no title, plaintext or key. Only its owner can read or write it (0600). In an app it belongs in the app
/// group's container, in a folder that iOS does not protect before the first unlock, such as
/// `SharedFolder.unprotected(_:)` makes.
///
/// An envelope that arrives twice is kept once. When the file is full, the oldest envelope is dropped: anyone who can
/// send pushes to the phone can fill it with made-up envelopes. A damaged file is replaced; a file of a later version
/// is left alone. An envelope that cannot be written is not kept. The store waits a second at most for another
/// process's lock.
public struct KeptEnvelopes: ReceptionObserver {
  /// The most envelopes that can be kept: 128.
  public static let maximumCapacity = 128

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many envelopes are kept.
  public let capacity: Int

  private let file: SmallFile

  /// Makes a store for at most `capacity` envelopes, without touching the file yet.
  ///
  /// The capacity is clamped to 1 through ``maximumCapacity``. An envelope that APNs carries has at most 5 KB.
  public init(path: String, capacity: Int = 32) {
    self.path = path
    self.capacity = min(max(1, capacity), Self.maximumCapacity)
    file = SmallFile(
      path: path, maximumSize: KeptEnvelopesFormat.size(of: Self.maximumCapacity),
      durability: .ordered)
  }

  /// Keeps a push's envelope, if its key was locked.
  public func observe(_ report: ReceptionReport) {
    guard report.degradeReason == .keyLocked, case .text(let envelope) = report.envelope else { return }
    try? file.update(overTooLarge: true) { (old) throws(FileError) in
      var kept: [String] = []
      if let old {
        do throws(ReceiverFileError) {
          kept = try KeptEnvelopesFormat.decode(old)
        } catch .laterVersion {
          return (nil, ())
        } catch {}
      }
      guard !kept.contains(envelope) else { return (nil, ()) }
      kept.append(envelope)
      return (KeptEnvelopesFormat.encode(kept.suffix(capacity)), ())
    }
  }

  /// Opens the kept envelopes, oldest first, and forgets each one after `handle` has taken its result.
  ///
  /// `handle` gets each message that opened, and each that never will, such as an expired one. An envelope stays if its
  /// key is still locked, if its message is not yet valid, or if `handle` throws. An error of `handle` does not stop
  /// the others; the first one is thrown at the end.
  ///
  /// No envelope is lost: if the process ends before `handle` does, `handle` gets the envelope again. That can also
  /// happen when two callers open at once. A receiver whose replay store lasts then sees a duplicate, so it should show
  /// duplicates (``DuplicateRule/quietly``). The outer title is not kept: a message that did not open is shown without
  /// a title and without a sound. Observers are not told.
  ///
  /// The key store and the disk do not block the caller's thread. No steps run, so attachments are not fetched.
  ///
  /// - Throws: ``ReceiverFileError``, or what `handle` throws.
  public func openAll(
    with receiver: Receiver, handling handle: (Reception) async throws -> Void
  ) async throws {
    var failure: (any Error)?
    let envelopes = try await WorkThread.value { Result { try kept() } }.get()
    for envelope in envelopes {
      let push = IncomingPush(title: "", hasSound: false, envelope: .text(envelope))
      let reception = await WorkThread.value { receiver.reception(of: push) }
      guard !reception.mayOpenLater else { continue }
      do {
        try await handle(reception)
        try await WorkThread.value { Result { try forget(envelope) } }.get()
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func kept() throws(ReceiverFileError) -> [String] {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw ReceiverFileError(error) }
    return try bytes.map(KeptEnvelopesFormat.decode) ?? []
  }

  private func forget(_ envelope: String) throws(ReceiverFileError) {
    do throws(FileError) {
      try file.update { (old) throws(FileError) in
        // Another process may have changed the file meanwhile.
        guard let old, let kept = try? KeptEnvelopesFormat.decode(old), kept.contains(envelope) else {
          return (nil, ())
        }
        return (KeptEnvelopesFormat.encode(kept.filter { $0 != envelope }), ())
      }
    } catch .notDurable {
      // A power failure may bring the envelope back; then `handle` gets it again.
    } catch {
      throw ReceiverFileError(error)
    }
  }
}

extension Reception {
  /// Whether it may open later.
  fileprivate var mayOpenLater: Bool {
    switch outcome {
    case .degraded(.keyLocked), .degraded(.notYetValid): true
    case .degraded, .opened, .openedOther: false
    }
  }
}

/// How kept envelopes are written: one JSON object, with a line for each envelope, oldest first.
///
/// ```
/// {"v":1,"envelopes":[
/// "AQEI…",
/// "AQEI…"
/// ]}
/// ```
///
/// Every version has `v`; a reader ignores members that it does not know.
private enum KeptEnvelopesFormat {
  private static let version: Int64 = 1

  /// The most bytes of a file with this many envelopes.
  static func size(of count: Int) -> Int { (count + 1) * (Envelope.maximumTextSize + 64) }

  /// Writes envelopes.
  static func encode(_ envelopes: [String]) -> [UInt8] {
    var bytes = Array(#"{"v":\#(version),"envelopes":["#.utf8)
    for (index, envelope) in envelopes.enumerated() {
      bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
      bytes += JSONValue.string(envelope).encoded()
    }
    return bytes + Array("\n]}\n".utf8)
  }

  /// Reads envelopes.
  ///
  /// - Throws: ``ReceiverFileError/damaged``, ``ReceiverFileError/laterVersion``.
  static func decode(_ bytes: [UInt8]) throws(ReceiverFileError) -> [String] {
    guard let object = try? JSONObject(parsing: bytes.span), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    guard let values = object["envelopes"]?.array else { throw .damaged }
    let envelopes = values.compactMap(\.string).filter { $0.utf8.count <= Envelope.maximumTextSize }
    guard envelopes.count == values.count else { throw .damaged }
    return envelopes
  }
}
