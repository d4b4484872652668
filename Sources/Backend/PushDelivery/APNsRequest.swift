internal import PushCore
internal import PushNetwork

extension HTTP2Request {
  /// The request that asks APNs to deliver a push ("Sending notification requests to APNs").
  init(_ push: AddressedPush, authorization: String) {
    var fields = [HTTPField(name: "authorization", value: authorization, isSecret: true)]
    for (name, value) in push.push.headers.fields {
      // A value that differs in each request must not enter HPACK's table: it would push out those that stay.
      let isSingle = name == "apns-id" || name == "apns-collapse-id"
      fields.append(HTTPField(name: name, value: value, isSecret: isSingle))
    }
    self.init(path: "/3/device/" + push.address.token.text, fields: fields, body: push.push.payload)
  }
}
