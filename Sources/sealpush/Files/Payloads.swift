import PushPayload

/// Payloads, with their errors in the operator's words.
enum Payloads {
  /// Reads a JSON object.
  static func read(_ path: String?) throws(ToolError) -> JSONObject { try parse(try FileInput.read(path)) }

  /// Parses a JSON object.
  static func parse(_ bytes: [UInt8]) throws(ToolError) -> JSONObject {
    do throws(JSONError) {
      return try JSONObject(parsing: bytes.span)
    } catch {
      throw ToolError(.badData, "the payload is not strict JSON: \(error)")
    }
  }
}
