public import PushReceiver

extension FetchError: CodedError {
  /// The word for the log: `fetch-404` for an answer, and the like.
  public var code: String {
    switch self {
    case .status(let status): "fetch-\(status)"
    case .contentEncoding: "fetch-content-encoding"
    case .redirectRefused: "fetch-redirect-refused"
    case .tooManyRedirects: "fetch-too-many-redirects"
    case .failed(let code): "fetch-failed\(code)"
    }
  }
}
