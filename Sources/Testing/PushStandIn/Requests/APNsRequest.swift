package import PushCore

/// A request to APNs, as a provider sent it.
package struct APNsRequest: Sendable {
  package typealias Header = LoggedPush.Header

  /// The method.
  package var method: String

  /// The path, which ends in the device token.
  package var path: String

  /// The headers as they arrived, without HTTP/2's pseudo-headers, whose names begin with a colon.
  package var headers: [Header]

  /// The payload.
  package var body: [UInt8]

  /// Makes a request from its parts.
  package init(method: String = "POST", path: String, headers: [Header], body: [UInt8]) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
  }

  /// Makes the request of a sealed push to a device, with a provider token: `iss`, `iat` and signature, as Apple defines it.
  package init(_ push: SealedNotification, to token: DeviceToken, providerToken: String) {
    let fields = push.headers.fields.map { Header(name: $0.name, value: $0.value) }
    self.init(
      path: Self.devicePath + token.text,
      headers: [Header(name: "authorization", value: "bearer \(providerToken)")] + fields,
      body: push.payload)
  }

  /// The part of a path before the device token.
  static let devicePath = "/3/device/"

  /// The value of a header; setting it replaces the header or adds it, setting nil removes it.
  package subscript(header: String) -> String? {
    get { headers.first { $0.name == header }?.value }
    set {
      let position = headers.firstIndex { $0.name == header } ?? headers.count
      headers.removeAll { $0.name == header }
      if let newValue { headers.insert(Header(name: header, value: newValue), at: position) }
    }
  }
}

extension APNsRequest: CustomStringConvertible, CustomReflectable {
  /// The method, the path and the size, without the provider token.
  package var description: String { "\(method) \(path), \(body.count) bytes" }

  /// Shows only the description: whoever has the provider token can push.
  package var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
