public import PushKeys
public import PushCore
public import PushFiles

/// The file in which a device stores and looks up the newest signed set of its senders' keys.
///
/// The app writes the file, and the extension reads it. Each lookup verifies the signature, so the file need not be
/// trusted: an attacker who can write it can only remove it or restore an older set. A change is refused where another
/// user could do so by replacing the file, its folder, or a folder above it.
public struct SenderKeyFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile
  private let roots: PublicKeySet
  private let topic: Topic
  private let shipped: SenderKeySet?

  /// Names a file, without accessing it.
  ///
  /// `roots` are the public keys that the app pins, a set of role `root`. Pin two, in case one is lost. `shipped` is
  /// the set that ships with the app: it is used until there is a newer one.
  public init(path: String, roots: PublicKeySet, topic: Topic, shipped: SenderKeySet? = nil) {
    self.path = path
    self.shipped = shipped
    file = SmallFile(path: path, maximumSize: CompactJWS.maximumSize, isGuarded: true)
    self.roots = roots
    self.topic = topic
  }

  /// Stores a set that one of the roots signed, unless it is older than the current one, and returns whether it was not
  /// stored already.
  ///
  /// A line feed at the end of the text is ignored. A stored set whose root is no longer pinned is ignored, too.
  ///
  /// - Throws: ``SenderKeyFileError``; the stored set is unchanged then.
  @discardableResult
  public func accept(_ text: Span<UInt8>) throws(SenderKeyFileError) -> Bool {
    let new: SenderKeySet
    let end = text.count - (text.isEmpty || text[text.count - 1] != UInt8(ascii: "\n") ? 0 : 1)
    do throws(SignedSetError) {
      new = try SenderKeySet(parsing: text.extracting(..<end), roots: roots, topic: topic)
    } catch {
      throw .refused(error, path: path)
    }
    return try accept(new)
  }

  /// Returns what `accept(_:)` would do with a set, and changes nothing.
  ///
  /// - Throws: ``SenderKeyFileError``.
  package func check(_ new: SenderKeySet) throws(SenderKeyFileError) -> Bool {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      throw .file(error, path: path)
    }
    do throws(SignedSetError) {
      return try isChange(to: new, from: bytes)
    } catch {
      throw .refused(error, path: path)
    }
  }

  /// Stores a verified set, as `accept(_:)` does.
  package func accept(_ new: SenderKeySet) throws(SenderKeyFileError) -> Bool {
    let result: Result<Bool, SignedSetError>
    do throws(FileError) {
      // FORMAT.md, [11.9]: a stored set that is invalid or too large counts as missing.
      result = try file.update(overTooLarge: true) { (bytes) throws(FileError) in
        let result = Result { () throws(SignedSetError) in try isChange(to: new, from: bytes) }
        return ((try? result.get()) == true ? Array(new.text.utf8) : nil, result)
      }
    } catch {
      throw .file(error, path: path)
    }
    do throws(SignedSetError) {
      return try result.get()
    } catch {
      throw .refused(error, path: path)
    }
  }

  /// Whether a set differs from the stored one.
  ///
  /// A set equal to the shipped one is stored, too, because the extension may not ship with it.
  private func isChange(to new: SenderKeySet, from bytes: [UInt8]?) throws(SignedSetError) -> Bool {
    let kept = kept(in: bytes)
    if let newest = newest(kept) { try new.check(follows: newest) }
    return new != kept
  }

  /// The current set: the newer of the stored and the shipped one; nil if there is none.
  ///
  /// A stored set whose root is no longer pinned counts as missing: FORMAT.md, [11.9].
  ///
  /// - Throws: ``SenderKeyFileError``.
  public func load() throws(SenderKeyFileError) -> SenderKeySet? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      throw .file(error, path: path)
    }
    if let set = newest(kept(in: bytes)) { return set }
    guard let bytes else { return nil }
    do throws(SignedSetError) {
      return try SenderKeySet(parsing: bytes.span, roots: roots, topic: topic)
    } catch .unknownSigner {
      return nil
    } catch {
      throw .refused(error, path: path)
    }
  }

  /// The stored set; nil if it is missing or invalid.
  private func kept(in bytes: [UInt8]?) -> SenderKeySet? {
    bytes.flatMap { try? SenderKeySet(parsing: $0.span, roots: roots, topic: topic) }
  }

  /// The newer of the stored and the shipped set.
  private func newest(_ kept: SenderKeySet?) -> SenderKeySet? {
    [kept, shipped].compactMap(\.self).max { $0.serial < $1.serial }
  }
}

extension SenderKeyFile: SenderKeyStore {
  /// Returns the sender's key with this ID from the current contents of the file.
  ///
  /// If there is no set, there is no key.
  ///
  /// - Throws: `KeyStoreError.locked` if the system denies access, as before the phone's first unlock;
  ///   `KeyStoreError.unavailable` if it cannot be read for another reason, or is invalid.
  public func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey? {
    do throws(SenderKeyFileError) {
      return try load()?.senderKey(for: id, at: now)
    } catch {
      guard case .file(let error, _) = error else { throw .unavailable }
      guard let error = KeyStoreError(error) else { return nil }
      throw error
    }
  }
}

/// Why a set of senders' keys cannot be stored or read, and in which file.
public enum SenderKeyFileError: Error, Equatable, Sendable {
  /// The file cannot be read or written.
  case file(FileError, path: String)
  /// The set is rejected.
  case refused(SignedSetError, path: String)
}

extension SenderKeyFileError: CustomStringConvertible {
  /// What is wrong, and with which file.
  public var description: String {
    switch self {
    case .file(let error, let path): error.sentence(about: PrintableText.escaped(path))
    case .refused(let error, let path): "\(PrintableText.escaped(path)): the set is \(error)"
    }
  }
}
