import PushCore

/// Makes enrolments step by step.
struct EnrolmentForge {
  /// The device's signed set.
  var signed: SignedSetForge
  var changeMembers: (inout RawObject) -> Void = { _ in }
  var changeText: (RawObject) -> String = { $0.text }
  /// The claims that the enrolment repeats.
  var repeated = ["topic", "environment", "token"]

  init(_ keys: [RawObject], by identity: SigningPair, token: String = SignedSetForge.token) {
    signed = SignedSetForge(device: keys, by: identity, token: token)
  }

  func text() throws -> String {
    var object = RawObject([("v", "1")])
    for (name, json) in try members() { object[name] = json }
    changeMembers(&object)
    return changeText(object)
  }

  /// The line of a registration.
  func line(
    _ name: String, of persons: [String] = [], _ change: (inout RawObject) -> Void = { _ in }
  ) throws -> String {
    var object = RawObject([
      ("v", "1"), ("registration", name.quoted), ("identity", signed.signer.kid.quoted),
    ])
    switch persons.count {
    case 0: break
    case 1: object.append("person", persons[0].quoted)
    default: object.append("persons", "[" + persons.map(\.quoted).joined(separator: ",") + "]")
    }
    for (name, json) in try members() { object[name] = json }
    changeMembers(&object)
    change(&object)
    return object.text
  }

  /// What is beside `v`: what is signed, where that is a string, and the signed set.
  private func members() throws -> [(String, String)] {
    let plain = SignedSetForge(device: signed.keys, by: signed.signer)
    let repeated = repeated.map { name in
      let json = [signed.claims[name], plain.claims[name]].compactMap(\.self).first { $0.hasPrefix("\"") }
      return (name, json ?? "".quoted)
    }
    return repeated + [
      ("keys", String(decoding: JSONValue.string(try signed.text()).encoded(), as: UTF8.self))
    ]
  }
}
