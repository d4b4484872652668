internal import PushEnvelope
internal import PushKeys
internal import PushPayload

extension EnrolledDevice {
  private static let members = ["v", "topic", "environment", "token", "keys"]

  /// Reads a registration, or an enrolment without a signature, `{"v":1,"topic":…,"environment":…,"token":…,"keys":…}`,
  /// each member required and no other allowed.
  init(parsing line: [UInt8]) throws(RecipientFileError.Fault) {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: line.span)
    } catch {
      throw .json(error)
    }
    guard let version = object["v"] else { throw .invalidMember("v") }
    guard version.number?.integer == 1 else { throw .unsupportedVersion }
    if object["registration"] != nil {
      self.init(try Self.readRegistration(line))
      return
    }
    if let name = object.keys.first(where: { !Self.members.contains($0) }) {
      throw .unknownMember(name.utf8.count <= 20 ? name : "…")
    }
    guard let topic = object["topic"]?.string.flatMap({ try? Topic($0) }) else {
      throw .invalidMember("topic")
    }
    guard let environment = object["environment"]?.string.flatMap(APNsEnvironment.init(rawValue:)) else {
      throw .invalidMember("environment")
    }
    guard let token = object["token"]?.string.flatMap(DeviceToken.init(text:)) else {
      throw .invalidMember("token")
    }
    guard let keys = object["keys"]?.object else { throw .invalidMember("keys") }
    self.init(token: token, keys: try Self.readKeys(keys), topic: topic, environment: environment)
  }

  private static func readRegistration(_ line: [UInt8]) throws(RecipientFileError.Fault) -> Registration {
    do throws(SignedSetError) {
      return try Registration(parsing: line.span)
    } catch {
      throw .registration(error)
    }
  }

  private static func readKeys(_ object: JSONObject) throws(RecipientFileError.Fault) -> PublicKeySet {
    let text = object.encoded()
    do throws(KeySetError) {
      let keys = try PublicKeySet(parsing: text.span)
      guard keys.role == .device else { throw .wrongRole }
      return keys
    } catch {
      throw .keys(error)
    }
  }
}
