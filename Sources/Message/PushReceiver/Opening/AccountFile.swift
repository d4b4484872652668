public import PushCore
internal import PushFiles

/// The tags of the accounts that are signed in, in a small file that the app writes and its extension reads.
///
/// It belongs where a `SenderKeyFile` does. Any number of processes may share it, each with its own `AccountFile`.
///
/// ```json
/// {"v":1,"accounts":["AQEBAQEBAQEBAQEBAQEBAQ"]}
/// ```
///
/// Before the first ``signIn(_:)`` there is no file, and the app does not know its accounts: no message is refused. A file
/// that is there and cannot be read keeps messages for any account from being shown.
public struct AccountFile: SignedInAccounts {
  /// The most accounts; when one more signs in, the file drops the one that signed in first.
  public static let maximumCount = 64

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile

  private static let version: Int64 = 1

  /// Takes a path, without touching the file yet.
  public init(path: String) {
    self.path = path
    // 64 tags take less than 2 KiB.
    file = SmallFile(path: path, maximumSize: 4096, isGuarded: true)
  }

  /// Records that an account is signed in: call it when the backend's answer to an enrolment has its tag.
  ///
  /// - Throws: ``ReceiverFileError``; nothing is changed then.
  public func signIn(_ account: AccountTag) throws(ReceiverFileError) {
    try change { accounts in accounts.filter { $0 != account } + [account] }
  }

  /// Records that an account has signed out: call it before anything else that signs the person out.
  ///
  /// - Throws: ``ReceiverFileError``; nothing is changed then.
  public func signOut(_ account: AccountTag) throws(ReceiverFileError) {
    try change { accounts in accounts.filter { $0 != account } }
  }

  /// Records that nobody is signed in any more.
  ///
  /// - Throws: ``ReceiverFileError``; nothing is changed then.
  public func signOutAll() throws(ReceiverFileError) { try change { _ in [] } }

  /// Records that exactly these accounts are signed in.
  ///
  /// - Throws: ``ReceiverFileError``; nothing is changed then.
  public func signIn(only accounts: [AccountTag]) throws(ReceiverFileError) { try change { _ in accounts } }

  /// The tags of the accounts that are signed in; nil if there is no file, because none has ever signed in.
  ///
  /// - Throws: ``ReceiverFileError``.
  public func tags() throws(ReceiverFileError) -> Set<AccountTag>? {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw ReceiverFileError(error) }
    return try bytes.map { (bytes) throws(ReceiverFileError) in Set(try Self.decode(bytes)) }
  }

  /// A damaged file counts as one without accounts; one of a later version is left alone.
  private func change(_ change: ([AccountTag]) -> [AccountTag]) throws(ReceiverFileError) {
    let isLater: Bool
    do throws(FileError) {
      isLater = try file.update(overTooLarge: true) { (old) throws(FileError) in
        var accounts: [AccountTag] = []
        do throws(ReceiverFileError) {
          if let old { accounts = try Self.decode(old) }
        } catch .laterVersion {
          return (nil, true)
        } catch {}
        return (Self.encode(change(accounts).suffix(Self.maximumCount)), false)
      }
    } catch {
      throw ReceiverFileError(error)
    }
    if isLater { throw .laterVersion }
  }

  private static func encode(_ accounts: ArraySlice<AccountTag>) -> [UInt8] {
    let object: JSONObject = [
      "v": .number(JSONNumber(version)), "accounts": .array(accounts.map { .string($0.text) }),
    ]
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  private static func decode(_ bytes: [UInt8]) throws(ReceiverFileError) -> [AccountTag] {
    guard let object = try? JSONObject(parsing: bytes.span), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    guard let texts = object["accounts"]?.array else { throw .damaged }
    let accounts = texts.compactMap { $0.string.flatMap { try? AccountTag($0) } }
    guard accounts.count == texts.count else { throw .damaged }
    return accounts
  }
}
