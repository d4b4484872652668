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
    let (place, payload) = try seal(pending)
    let start = place.encoded().dropLast() + Array((place.isEmpty ? "" : ",").utf8)
    try output?.write(payload, as: .json, console: console)
    let request = Array(#","request":"#.utf8) + start + Array(#""payload":"#.utf8) + payload
    try console.write(
      Terminal.printable(json: line.encoded()).dropLast() + request + Array("}}\n".utf8), as: .json)
  }

  /// Seals a request, and returns where to send it, unless the device gets it in the answer, and its payload.
  private func seal(_ pending: PendingProof) throws(ToolError) -> (place: JSONObject, payload: [UInt8]) {
    let sealer = Sealer(topic: pending.address.topic, signingKey: key, policy: policy)
    do throws(SealError) {
      var place: JSONObject
      let payload: [UInt8]
      switch pending.address {
      case .apns(let address):
        let push = try sealer.seal(pending.request, to: pending.recipient, at: now)
        var headers = JSONObject()
        for (name, value) in push.headers.fields { headers[name] = .string(value) }
        payload = push.payload
        place = [
          "device_token": .string(address.token.text), "environment": .string(address.environment.rawValue),
          "headers": .object(headers),
        ]
      case .fcm(let address):
        let message = try sealer.sealForFCM(pending.request, to: pending.recipient, at: now)
        payload = message.data
        place = [
          "service": .string(pending.address.service.rawValue), "device_token": .string(address.token.text),
          "message": .object(message.message(to: address.token)),
        ]
      }
      guard pending.possession == .keyAndToken else { return ([:], payload) }
      place["is_proof_request"] = true
      return (place, payload)
    } catch {
      throw SealFailure.describe(error)
    }
  }
}
