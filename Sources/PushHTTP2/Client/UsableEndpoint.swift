extension HTTP2Endpoint {
  /// Whether anything can be at it: a connection to any other throws ``HTTP2Error/invalidHost``.
  package var isUsable: Bool { isValid }
}
