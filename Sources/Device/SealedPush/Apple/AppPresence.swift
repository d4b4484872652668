#if canImport(Darwin)
  private import Darwin
  private import Locks

  /// Whether the app is in front, as its extension can ask it.
  ///
  /// The app sets it when its scene's phase changes: iOS does not tell the app delegate of an app with scenes. It ends with the
  /// app's process. Nothing is written to a file, and no lock is held: the system keeps a number under a name.
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
      get {
        // A registration that stayed would keep the state of an app that has crashed.
        var token = NOTIFY_TOKEN_INVALID
        guard unsafe notify_register_check(name, &token) == NOTIFY_STATUS_OK else { return false }
        defer { notify_cancel(token) }
        var state: UInt64 = 0
        return unsafe notify_get_state(token, &state) == NOTIFY_STATUS_OK && state == 1
      }
      set {
        token.withLock { token in
          if token == NOTIFY_TOKEN_INVALID {
            guard unsafe notify_register_check(name, &token) == NOTIFY_STATUS_OK else { return }
          }
          _ = notify_set_state(token, newValue ? 1 : 0)
        }
      }
    }
  }
#endif
