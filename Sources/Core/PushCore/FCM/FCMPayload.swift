/// FCM's message as a program reads it: the body of a request, its member `message`, or the `data` alone.
package struct FCMPayload: Sendable {
  /// The member `data`.
  package let data: JSONObject

  /// The members of FCM's message beside `data`; nil if the object is `data` itself.
  package let message: JSONObject?

  /// Reads one of the three; nil if a member that must be an object is none.
  ///
  /// An object is `data` itself if it has neither an object `message` nor an object `data`: all values of `data` are strings.
  package init(_ object: JSONObject) {
    let message = object["message"]?.object ?? object
    if let data = message["data"]?.object {
      self.data = data
      var others = message
      others.removeValue(forKey: "data")
      self.message = others
    } else {
      let isRequest = object["message"]?.object != nil
      data = isRequest ? [:] : object
      self.message = isRequest ? message : nil
    }
  }

  /// The bytes that FCM counts: those of the names and values of `data`, in UTF-8.
  package var size: Int {
    data.reduce(0) { $0 + $1.key.utf8.count + ($1.value.string?.utf8.count ?? 0) }
  }
}
