internal import PushFiles

/// Why a store cannot do what it was asked for.
///
/// The call has then changed nothing, unless a connection broke, and the store can still be used.
///
/// The place is the file's path or the server's name, without a password. Nothing here has a token, a text or a key.
public enum StoreError: Error, Hashable, Sendable {
  /// The file, or its folder, cannot be opened or created.
  case cannotOpen(place: String, reason: String)
  /// Others than those who share the file can change it, or the way to it.
  case exposed(place: String, reason: String)
  /// The file was moved, replaced or deleted since it was opened. Open the store anew.
  case replaced(place: String)
  /// Another process held the store too long. Try again.
  case busy(place: String)
  /// The disk is full.
  case full(place: String)
  /// The store may only be read.
  case readOnly(place: String)
  /// The file is damaged, or is no database.
  case corrupt(place: String)
  /// The database belongs to another program.
  case notAStore(place: String)
  /// A newer version of this package wrote the tables.
  case newerVersion(Int, known: Int, place: String)
  /// The store's devices are neither read nor written with the row key that it was opened with, or without one.
  case rowKey(RowKeyFault, place: String)
  /// There is no connection to the server, or it broke before the answer. Try again.
  ///
  /// If it broke, the call was done completely or not at all. Repeating the call does no harm in either case.
  case unreachable(place: String, reason: String)
  /// The engine refused, for another reason, which its own text and code give.
  case failed(place: String, reason: String)
}

extension StoreError {
  /// Whether the same call may succeed later, although nobody has changed the configuration or the database.
  public var mayPass: Bool {
    switch self {
    case .busy, .full, .unreachable, .failed: true
    case .cannotOpen, .exposed, .replaced, .readOnly, .corrupt, .notAStore, .newerVersion, .rowKey: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .cannotOpen(let place, let reason): "cannot open \(shown(place)): \(shown(reason))"
    case .exposed(let place, let reason): "others could change \(shown(place)): \(shown(reason))"
    case .replaced(let place):
      "\(shown(place)) is no longer the file that was opened: it was moved, replaced or deleted"
    case .busy(let place): "another process has kept \(shown(place)) busy for too long"
    case .full(let place): "no space is left for \(shown(place))"
    case .readOnly(let place): "\(shown(place)) is read-only"
    case .corrupt(let place): "\(shown(place)) is damaged, or not a database"
    case .notAStore(let place): "\(shown(place)) is a database, but not a SealedPush store"
    case .newerVersion(let version, let known, let place):
      "\(shown(place)) has version \(version) of the tables, and this program knows only \(known): use a newer program"
    case .rowKey(.missing, let place): "the devices of \(shown(place)) are sealed: their row key is needed"
    case .rowKey(.other, let place): "the devices of \(shown(place)) are sealed with another row key"
    case .rowKey(.unsealed, let place):
      "the devices of \(shown(place)) are not sealed, and a row key was given"
    case .unreachable(let place, let reason): "no connection to \(shown(place)): \(shown(reason))"
    case .failed(let place, let reason): "\(shown(place)): \(shown(reason))"
    }
  }

  private func shown(_ text: String) -> String { PrintableText.escaped(text) }
}
