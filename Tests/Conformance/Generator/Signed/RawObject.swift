import PushCore

/// A JSON object as it is written, so that a vector can have one fault at any place: names and values are text that
/// nobody checks.
struct RawObject {
  private var members: [(name: String, json: String)]

  init(_ members: [(name: String, json: String)]) { self.members = members }

  init(_ object: JSONObject) {
    members = object.map { ($0.key, String(decoding: $0.value.encoded(), as: UTF8.self)) }
  }

  /// The JSON of a member; setting null takes it out, and a new one comes last.
  subscript(name: String) -> String? {
    get { members.first { $0.name == name }?.json }
    set {
      guard let index = members.firstIndex(where: { $0.name == name }) else {
        if let newValue { append(name, newValue) }
        return
      }
      if let newValue { members[index].json = newValue } else { members.remove(at: index) }
    }
  }

  /// Adds a member, even if it is there.
  mutating func append(_ name: String, _ json: String) { members.append((name, json)) }

  /// Gives a member's name another form.
  mutating func rename(_ name: String, to form: String) {
    for index in members.indices where members[index].name == name { members[index].name = form }
  }

  var reversed: RawObject { RawObject(members.reversed()) }

  var text: String { "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}" }

  /// With white space wherever JSON may have it.
  var spacedText: String {
    " {\r\n" + members.map { "\t\"\($0.name)\" : \($0.json) " }.joined(separator: ",\n") + "} \n"
  }
}

extension String {
  /// The string as JSON, of whose characters none needs an escape.
  var quoted: String { "\"\(self)\"" }
}
