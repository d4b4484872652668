import PushCore
import PushEnrolment
import PushKeys
import PushSealer

/// Seals proof requests, and writes them.
///
/// It is made before anything is stored, so that nothing changes if a key is missing or a file exists.
struct ProofSealing {
  private let key: SigningKey
  private let policy: SealingPolicy
  private let now: UnixTime
  private let output: FileOutput?

  init(from arguments: Arguments) throws(ToolError) {
    let source = try KeySource(required: .from, from: arguments)
    now = try arguments.now()
    policy = SealingPolicy(envelopeKey: try arguments.envelopeKey())
    let keys = try Keys.load(from: source, passphrase: arguments.passphrase)
    do throws(KeySetError) {
      key = try keys.signingKey(at: now)
    } catch {
      throw KeyFileFailure.describe(error, at: source.name)
    }
    output = try arguments[.request].map { (path) throws(ToolError) in
      try FileOutput(path: path, replaces: arguments.has(.force))
    }
  }

  /// Prints a line with the request as its last member; the request's payload must be sent byte for byte.
  func write(_ pending: PendingProof, after line: JSONObject, console: Console) throws(ToolError) {
    let push: SealedNotification
    do throws(SealError) {
      push = try Sealer(topic: pending.address.topic, signingKey: key, policy: policy)
        .seal(pending.request, to: pending.recipient, at: now)
    } catch {
      throw SealFailure.describe(error)
    }
    var place = JSONObject()
    if pending.possession == .keyAndToken {
      var headers = JSONObject()
      for (name, value) in push.headers.fields { headers[name] = .string(value) }
      place = [
        "device_token": .string(pending.address.token.text),
        "environment": .string(pending.address.environment.rawValue), "headers": .object(headers),
        "is_proof_request": true,
      ]
    }
    let start = place.encoded().dropLast() + Array((place.isEmpty ? "" : ",").utf8)
    try output?.write(push.payload, as: .json, console: console)
    let request = Array(#","request":"#.utf8) + start + Array(#""payload":"#.utf8) + push.payload
    try console.write(
      Terminal.printable(json: line.encoded()).dropLast() + request + Array("}}\n".utf8), as: .json)
  }
}
