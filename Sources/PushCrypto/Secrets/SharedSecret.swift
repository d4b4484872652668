/// A secret with several owners: wiped when the last of them lets go.
package final class SharedSecret: Sendable {
  private let secret: Secret

  /// Takes `secret` over.
  package init(_ secret: consuming Secret) { self.secret = secret }

  /// The secret's bytes, for as long as this object is borrowed.
  package var exposedBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeBytes: secret.rawBytes)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
