internal import CPostgres
internal import PushStore

/// What a server or libpq says when something cannot be done.
package struct PostgresError: Error {
  /// The SQLSTATE; empty if the server has not said it.
  let state: String
  /// The message in one line, without values of rows.
  let text: String
  /// Whether the connection is of no more use.
  let isLost: Bool
  /// Why the devices are not accessible, if that is so.
  private(set) var rowKeyFault: RowKeyFault?

  private init(state: String, text: String, isLost: Bool) {
    self.state = state
    self.text = text
    self.isLost = isLost
  }

  /// There is no connection, or it was lost.
  static func lost(_ text: String) -> PostgresError {
    // libpq indents further lines with a tab.
    let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
    return PostgresError(state: "", text: lines.joined(separator: "; "), isLost: true)
  }

  /// A row of the directory is not as it was written.
  static var damagedRow: PostgresError { PostgresError(state: "XX001", text: "", isLost: false) }

  /// The devices are sealed, and the key is missing or another.
  static func rowKey(_ fault: RowKeyFault) -> PostgresError {
    var error = PostgresError(state: "", text: "", isLost: false)
    error.rowKeyFault = fault
    return error
  }

  /// The error in a result.
  @unsafe init(in result: OpaquePointer) {
    func field(_ code: CInt) -> String {
      unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) } ?? ""
    }
    state = field(CInt(UInt8(ascii: "C")))
    // Connections that break; the server's shutdown, crash and start; and a standby server, which is read-only: another
    // connection may lead to the server that took its place.
    isLost = state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25006"].contains(state)
    // The messages of these contain values: data, constraints, and an application's triggers, with any code.
    let isOfFunction = !isLost && !field(CInt(UInt8(ascii: "W"))).isEmpty
    let hasValues = isOfFunction || ["22", "23", "P0"].contains(state.prefix(2))
    text = hasValues ? "" : field(CInt(UInt8(ascii: "M")))
  }

  /// Whether a row with the same unique value is there.
  var isConflict: Bool { state == "23505" }

  /// Whether another transaction was in the way; of two that would wait for each other, the server ends one.
  var isCollision: Bool { ["40001", "40P01"].contains(state) }

  /// The error for users of the store.
  func storeError(at place: String) -> StoreError {
    if let rowKeyFault { return .rowKey(rowKeyFault, place: place) }
    if isLost { return .unreachable(place: place, reason: text) }
    if isCollision { return .busy(place: place) }
    return switch state {
    case "57014", "55P03": .busy(place: place)
    case "53100": .full(place: place)
    case "XX001", "XX002": .corrupt(place: place)
    default: .failed(place: place, reason: text.isEmpty ? "SQLSTATE \(state)" : "\(text) (SQLSTATE \(state))")
    }
  }
}
