import PushCore
import PushReceiver

/// A payload with another system's envelope, or keys that no opener takes.
struct FormatVector {
  /// What comes of it.
  enum Outcome {
    case opened([UInt8])
    case fault(rule: String, EnvelopeFormatError)
    /// The keys or the parameters are none.
    case refused(rule: String)
  }

  let id: String
  let comment: String
  /// The format's name.
  let format: String
  /// What the app names of the format, its keys among it.
  var parameters: JSONObject
  /// What a sealer has to take for random, so that it makes the same payload.
  var random: [UInt8]?
  var payload: JSONObject
  var outcome: Outcome

  /// The same with one fault, under another name.
  func faulty(
    _ suffix: String, _ rule: String, _ error: EnvelopeFormatError, _ comment: String,
    _ change: (inout FormatVector) throws -> Void
  ) rethrows -> FormatVector {
    var vector = FormatVector(
      id: "\(format)-\(suffix)", comment: comment, format: format, parameters: parameters, payload: payload,
      outcome: .fault(rule: rule, error))
    try change(&vector)
    return vector
  }

  /// The same with other parameters, which are refused.
  func refused(
    _ suffix: String, _ rule: String, _ comment: String, _ members: JSONObject
  ) -> FormatVector {
    var parameters = parameters
    for (name, value) in members { parameters[name] = value }
    return FormatVector(
      id: "\(format)-\(suffix)", comment: comment, format: format, parameters: parameters, payload: payload,
      outcome: .refused(rule: rule))
  }

  func json() throws -> JSONObject {
    var object: JSONObject = ["id": .string(id)]
    switch outcome {
    case .opened: break
    case .fault(let rule, _), .refused(let rule): object["rule"] = .string(rule)
    }
    object["comment"] = .string(comment)
    object["format"] = .string(format)
    object["parameters"] = .object(parameters)
    object["random"] = random.map { .string(Base64URL.encode($0.span)) }
    object["payload"] = .string(payload.text)
    object["recognized"] = .array(FormatOpener.names(recognizing: payload).map { .string($0) })
    switch outcome {
    case .opened(let plaintext):
      object["expect"] = "opened"
      object["plaintext"] = .string(Base64URL.encode(plaintext.span))
    case .fault(_, let error):
      object["expect"] = .string(error.code)
      if case .malformed(let member) = error { object["member"] = .string(member) }
    case .refused: object["expect"] = "refused"
    }
    return object
  }
}
