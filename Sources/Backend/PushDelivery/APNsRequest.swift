internal import PushCore
internal import PushNetwork

extension HTTP2Request {
  /// The request that asks APNs to deliver a push ("Sending notification requests to APNs").
  init(_ push: AddressedPush, common: CommonFields) {
    let fields = push.push.headers.messageFields.map { name, value in
      // A value that differs in each request must not enter HPACK's table: it would push out those that stay.
      HTTPField(name: name, value: value, isSecret: name != "apns-expiration")
    }
    self.init(
      path: "/3/device/" + push.address.token.text, fields: fields, common: common, body: push.push.payload)
  }
}

/// The fields of the requests of a route, which change with the provider token and the kind of push.
struct RequestFields {
  private var last: (kind: Kind, fields: CommonFields)?

  private struct Kind: Equatable {
    let authorization: String
    let pushType: PushType
    let priority: Priority
  }

  /// The fields for a push with these headers, which are laid out anew only if they are other than the last.
  mutating func fields(for headers: APNsHeaders, authorization: String) -> CommonFields {
    let kind = Kind(authorization: authorization, pushType: headers.pushType, priority: headers.priority)
    if let last, last.kind == kind { return last.fields }
    let fields = CommonFields(
      [HTTPField(name: "authorization", value: authorization, isSecret: true)]
        + headers.kindFields.map { HTTPField(name: $0, value: $1) })
    last = (kind, fields)
    return fields
  }
}
