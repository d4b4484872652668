private import Glibc
public import PushCore

/// Why a stand-in does not start, or a phone does not enrol.
public enum StandInError: Error, Equatable, Sendable {
  /// It cannot listen on 127.0.0.1 at this port; `errno` says why.
  case cannotListen(port: UInt16, errno: Int32)

  /// It cannot serve HTTP/2 on 127.0.0.1 at this port; the text says why.
  case cannotServe(port: UInt16, reason: String)

  /// A property of its settings is wrong.
  case settings(ConfigurationError)

  /// It cannot write the file with its root certificate; the text says why.
  case cannotWriteRoot(String)

  /// The phone with this name runs the app's own extension, so that it does not know the app's keys.
  case noKeys(phone: String)
}

extension StandInError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .cannotListen(let port, let errno):
      "cannot listen on 127.0.0.1:\(port): \(unsafe String(cString: strerror(errno)))"
    case .cannotServe(let port, let reason): "cannot serve HTTP/2 on 127.0.0.1:\(port): \(reason)"
    case .settings(let error): "settings: \(error)"
    case .cannotWriteRoot(let reason): "cannot write the root certificate: \(reason)"
    case .noKeys(let phone): "the phone '\(phone)' lacks its app's keys: pass them"
    }
  }
}
