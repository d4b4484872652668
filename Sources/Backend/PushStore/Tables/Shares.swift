internal import PushCore

/// The column `shares` of a query: who has a device, as the table `device_share` says, in a JSON array; null for a device of
/// one person or of none.
///
/// A person who leaves goes from that table at once, be it by a row of `removal`. The registration's line says so after its
/// next write.
enum Shares {
  /// The persons in a text, in the order of their bytes; nil if there is none.
  static func persons(in text: String?) -> [String]? {
    guard let text else { return nil }
    return (try? JSONValue(parsing: Array(text.utf8).span))?.array?.compactMap(\.string).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    } ?? []
  }
}
