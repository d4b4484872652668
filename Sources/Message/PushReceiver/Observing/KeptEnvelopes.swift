internal import PushCore
internal import PushFiles

/// Keeps the envelopes that came while the keys could not be read, for the app to open after the first unlock.
///
/// The extension observes with one (``DegradeReason/keyLocked`` is the reason), and the app calls
/// ``openAll(with:handling:)`` with another of the same path. The file holds ciphertext only, as APNs had it: no
/// title, no plaintext and no key. It is its owner's alone (0600). In an app it belongs in the app group's
/// container, in a folder that iOS does not protect before the first unlock, such as `SharedFolder.unprotected(_:)`
/// makes.
///
/// An envelope that arrives twice is kept once. When the file is full, the oldest envelope is dropped: anyone who can
/// send pushes to the phone can fill it with made-up envelopes. A damaged file is replaced; a file of a later version is
/// left alone. An envelope that cannot be written is not kept. Waiting for another process's lock takes a second at most.
public struct KeptEnvelopes: ReceptionObserver {
  /// The most envelopes that can be kept: 128.
  public static let maximumCapacity = 128

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many envelopes are kept.
  public let capacity: Int

  private let file: SmallFile

  /// Names a file for at most `capacity` envelopes, and touches nothing yet.
  ///
  /// A capacity is brought between 1 and ``maximumCapacity``. An envelope that APNs carries has at most 5 KB.
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
        do throws(KeptEnvelopesError) {
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

  /// Opens what is kept, oldest first, and forgets each envelope once `handle` has its result.
  ///
  /// `handle` gets what opened, and what never will, such as a message whose lifetime is over. What is still locked
  /// stays, and so does what is not yet valid. So does an envelope for which `handle` throws; the others have their
  /// turn all the same, and the first error is thrown at the end.
  ///
  /// No envelope is lost: if the process ends before `handle` does, the envelope is given again. That can also happen
  /// when two callers open at once. It is then a duplicate to a receiver whose replay store lasts, so that one should
  /// show duplicates (``DuplicateRule/quietly``). The outer title is not kept: what did not open is shown without
  /// one, and without a sound. Observers are not told.
  ///
  /// The caller's thread is not blocked by the key store and the disk. No steps are taken: attachments are not fetched.
  ///
  /// - Throws: ``KeptEnvelopesError``, or what `handle` throws.
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

  private func kept() throws(KeptEnvelopesError) -> [String] {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw KeptEnvelopesError(error) }
    return try bytes.map(KeptEnvelopesFormat.decode) ?? []
  }

  private func forget(_ envelope: String) throws(KeptEnvelopesError) {
    do throws(FileError) {
      try file.update { (old) throws(FileError) in
        // Somebody else may have changed it meanwhile.
        guard let old, let kept = try? KeptEnvelopesFormat.decode(old), kept.contains(envelope) else {
          return (nil, ())
        }
        return (KeptEnvelopesFormat.encode(kept.filter { $0 != envelope }), ())
      }
    } catch .notDurable {
      // A power failure may bring it back, and then it is given again.
    } catch {
      throw KeptEnvelopesError(error)
    }
  }
}

extension KeptEnvelopesError {
  fileprivate init(_ error: FileError) { self = error == .tooLarge ? .damaged : .unavailable }
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

/// Why kept envelopes cannot be opened.
public enum KeptEnvelopesError: Error, Equatable, Sendable {
  /// The file is damaged; the next envelope replaces it.
  case damaged
  /// The file is of a later version.
  case laterVersion
  /// The file, or its folder, cannot be read or written.
  case unavailable
}

extension KeptEnvelopesError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .damaged: "the file of kept envelopes is damaged; the next envelope replaces it"
    case .laterVersion: "the file of kept envelopes was written by a newer version"
    case .unavailable: "the file of kept envelopes, or its folder, cannot be read or written"
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
/// Every version has `v`; members that this one does not know are passed over.
private enum KeptEnvelopesFormat {
  private static let version: Int64 = 1

  /// The most bytes of a file with so many envelopes.
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
  /// - Throws: ``KeptEnvelopesError/damaged``, ``KeptEnvelopesError/laterVersion``.
  static func decode(_ bytes: [UInt8]) throws(KeptEnvelopesError) -> [String] {
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
