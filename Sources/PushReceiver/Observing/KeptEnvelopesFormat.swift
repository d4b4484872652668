internal import PushEnvelope
internal import PushPayload

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
enum KeptEnvelopesFormat {
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
