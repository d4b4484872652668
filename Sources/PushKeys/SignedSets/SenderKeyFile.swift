public import PushEnvelope
public import PushFiles

/// Where a device keeps the newest signed set of its senders' keys, and looks them up.
///
/// The app writes it, the extension reads it. The signature is checked at each look-up too, so that the file need not
/// be trusted: whoever can write it can remove it or put back an older set, and nothing else.
public struct SenderKeyFile: Sendable {
  /// What became of a set.
  public enum Change: String, Sendable {
    /// It is kept now.
    case updated
    /// It was kept already.
    case unchanged
  }

  private let file: SmallFile
  private let roots: PublicKeySet
  private let topic: Topic
  private let shipped: SenderKeySet?

  /// Names a file, and touches nothing yet.
  ///
  /// `roots` are the public keys that are built into the app, a set of role `root`: of two, one may be lost. `shipped`
  /// is the set that is built into it: until there is a newer one it is the one that counts.
  public init(path: String, roots: PublicKeySet, topic: Topic, shipped: SenderKeySet? = nil) {
    self.shipped = shipped
    file = SmallFile(path: path, maximumSize: CompactJWS.maximumSize)
    self.roots = roots
    self.topic = topic
  }

  /// Keeps a set that one of the roots signed, if it is not older than the one that counts.
  ///
  /// A line feed at the end of the text, as a file may have it, is none of it. What is kept and is not one of the roots'
  /// any longer does not count.
  ///
  /// - Throws: ``SenderKeyFileError``; what was kept still is, then.
  @discardableResult
  public func accept(_ text: Span<UInt8>) throws(SenderKeyFileError) -> Change {
    let new: SenderKeySet
    let end = text.count - (text.isEmpty || text[text.count - 1] != UInt8(ascii: "\n") ? 0 : 1)
    do throws(SignedSetError) {
      new = try SenderKeySet(parsing: text.extracting(..<end), roots: roots, topic: topic)
    } catch {
      throw .refused(error)
    }
    return try accept(new)
  }

  /// What ``accept(_:)`` would do with a set, and nothing more.
  ///
  /// - Throws: ``SenderKeyFileError``.
  package func check(_ new: SenderKeySet) throws(SenderKeyFileError) -> Change {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      throw .file(error)
    }
    do throws(SignedSetError) {
      return try change(to: new, from: bytes)
    } catch {
      throw .refused(error)
    }
  }

  /// Keeps a set that was checked, as ``accept(_:)``.
  package func accept(_ new: SenderKeySet) throws(SenderKeyFileError) -> Change {
    let result: Result<Change, SignedSetError>
    do throws(FileError) {
      // FORMAT.md, [11.9]: what is kept and is no good set, by its size too, is as none.
      result = try file.update(overTooLarge: true) { (bytes) throws(FileError) in
        let result = Result { () throws(SignedSetError) in try change(to: new, from: bytes) }
        return ((try? result.get()) == .updated ? Array(new.text.utf8) : nil, result)
      }
    } catch {
      throw .file(error)
    }
    do throws(SignedSetError) {
      return try result.get()
    } catch {
      throw .refused(error)
    }
  }

  /// A set that is built in is kept, too, when the backend has it: the extension may not have it built in.
  private func change(to new: SenderKeySet, from bytes: [UInt8]?) throws(SignedSetError) -> Change {
    let kept = kept(bytes)
    if let newest = newest(kept) { try new.check(follows: newest) }
    return new == kept ? .unchanged : .updated
  }

  /// The set that counts: the one that is kept, or the one that is built in; null if there is none.
  ///
  /// What is kept and was signed by a root that is no longer pinned is as none: FORMAT.md, [11.9].
  ///
  /// - Throws: ``SenderKeyFileError``.
  public func load() throws(SenderKeyFileError) -> SenderKeySet? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try file.read()
    } catch {
      throw .file(error)
    }
    if let set = newest(kept(bytes)) { return set }
    guard let bytes else { return nil }
    do throws(SignedSetError) {
      return try SenderKeySet(parsing: bytes.span, roots: roots, topic: topic)
    } catch .unknownSigner {
      return nil
    } catch {
      throw .refused(error)
    }
  }

  /// What is kept; null if that is no good set.
  private func kept(_ bytes: [UInt8]?) -> SenderKeySet? {
    bytes.flatMap { try? SenderKeySet(parsing: $0.span, roots: roots, topic: topic) }
  }

  /// The newer one of what is kept and of what is built in.
  private func newest(_ kept: SenderKeySet?) -> SenderKeySet? {
    [kept, shipped].compactMap(\.self).max { $0.serial < $1.serial }
  }
}

extension SenderKeyFile: SenderKeyStore {
  /// The sender's key of that name, from the set as the file has it now.
  ///
  /// Without a file there is no key.
  ///
  /// - Throws: ``KeyStoreError/locked`` if the system does not permit it, as before the phone is first unlocked;
  ///   ``KeyStoreError/unavailable`` if it cannot be read otherwise, or is not a root's.
  public func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey? {
    do throws(SenderKeyFileError) {
      return try load()?.senderKey(for: id, at: now)
    } catch {
      guard case .file(let error) = error else { throw .unavailable }
      guard let error = KeyStoreError(error) else { return nil }
      throw error
    }
  }
}

/// Why a set of senders' keys is not kept, or cannot be read.
public enum SenderKeyFileError: Error, Equatable, Sendable {
  /// The file cannot be read or written.
  case file(FileError)
  /// The set is refused.
  case refused(SignedSetError)
}
