import PushStore
import StoreSupport

/// A store in which something else happens between the first reading and the first writing.
actor Interruption: ForwardingStore {
  nonisolated let store: any Store
  private var event: (@Sendable () async throws -> Void)?

  /// How often somebody wanted to write.
  private(set) var attempts = 0

  init(_ store: any Store, _ event: @escaping @Sendable () async throws -> Void) {
    (self.store, self.event) = (store, event)
  }

  func apply(_ changes: [RegistrationChange]) async throws(StoreError) -> Bool {
    attempts += 1
    if let event {
      self.event = nil
      try? await event()
    }
    return try await store.apply(changes)
  }
}
