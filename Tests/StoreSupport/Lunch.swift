package import PushCore

extension JSONObject {
  /// The payload of a job whose content does not matter.
  package static let lunch: JSONObject = ["aps": ["alert": "Lunch"]]
}
