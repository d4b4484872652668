#if canImport(Darwin)
  private import Darwin
  private import Locks

  /// Whether the app is in front, as its extension can ask it.
  ///
  /// The app says so when it becomes active, and that it is not when it resigns; it also ends with the app's process. Nothing is
  /// written to a file, and no lock is held: the system keeps a number under a name.
  ///
  /// An app in front gets messages by its own connection. So its extension need not fetch attachments, and the app's delegate
  /// decides what is shown. Give the extension's receiver `appIsInFront`.
  public final class AppPresence: Sendable {
    private let name: String
    private let token = Mutex<CInt>(NOTIFY_TOKEN_INVALID)

    /// Names the app's state; the app and its extension use the same name, such as the App Group's.
    ///
    /// Every app on the phone can see the state of a name, and set it: it says nothing but whether the app is in front.
    public init(name: String) { self.name = "\(name).in-front" }

    deinit {
      let token = token.withLock { $0 }
      if token != NOTIFY_TOKEN_INVALID { notify_cancel(token) }
    }

    /// Whether the app is in front; false if nothing is known.
    public var appIsInFront: Bool {
      get { withToken { state(of: $0) } ?? false }
      set { _ = withToken { notify_set_state($0, newValue ? 1 : 0) == NOTIFY_STATUS_OK } }
    }

    private func state(of token: CInt) -> Bool {
      var state: UInt64 = 0
      return unsafe notify_get_state(token, &state) == NOTIFY_STATUS_OK && state == 1
    }

    private func withToken(_ work: (CInt) -> Bool) -> Bool? {
      token.withLock { token in
        if token == NOTIFY_TOKEN_INVALID {
          guard unsafe notify_register_check(name, &token) == NOTIFY_STATUS_OK else { return nil }
        }
        return work(token)
      }
    }
  }
#endif
