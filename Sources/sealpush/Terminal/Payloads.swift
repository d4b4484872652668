import PushPayload

/// Payloads, with their errors in the operator's words.
enum Payloads {
  /// Reads a JSON object.
  static func read(_ path: String?) throws(ToolError) -> JSONObject {
    let bytes = try FileInput.read(path)
    do throws(JSONError) {
      return try JSONObject(parsing: bytes.span)
    } catch {
      throw ToolError(.badData, "the payload is not strict JSON: \(error)")
    }
  }
}
