/// Why a blob could not be fetched.
///
/// No case says where it is: an address may be a capability of its own.
public enum FetchError: Error, Equatable, Sendable {
  /// The server answered, but not with 200.
  case status(Int)
  /// The server encoded what it sent, although it was asked not to.
  case contentEncoding
  /// The server names another address that is not one of the public network over TLS.
  case redirectRefused
  /// The server names another address for the fourth time.
  case tooManyRedirects
  /// Foundation could not, by its own code of `NSURLErrorDomain`.
  case failed(code: Int)
}
