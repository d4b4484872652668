package import PushCore
package import PushKeys

/// A sender's private keys, where `--from` says that they are.
package struct SenderKeys: Sendable {
  private let source: KeySource
  private let arguments: Arguments

  /// Takes what `--from` or `--from-fd` says.
  package init(from arguments: Arguments) throws(ToolError) {
    self.init(source: try KeySource(required: .from, from: arguments), arguments: arguments)
  }

  init(source: KeySource, arguments: Arguments) { (self.source, self.arguments) = (source, arguments) }

  /// Whether they can be read again: what comes through a descriptor cannot.
  package var isRereadable: Bool { if case .file = source { true } else { false } }

  /// Reads them, and finds the one that signs at a time.
  package func load(at now: UnixTime) throws(ToolError) -> (all: KeySet, active: SigningKey) {
    let keys = try Keys.load(from: source, arguments: arguments)
    guard keys.role == .sender else {
      throw KeyFileFailure.wrongRole(keys.role, at: source.name, needed: "a sender's")
    }
    return (keys, try Keys.found(at: source.name) { () throws(KeySetError) in try keys.signingKey(at: now) })
  }
}
