package import PushCore
package import PushKeys

/// A sender's private keys, where `--from` says that they are.
package struct SenderKeys: Sendable {
  private let source: KeySource
  private let passphrase: Passphrase?

  /// Takes what `--from` or `--from-fd` says, one of which must be given.
  package init(from arguments: Arguments) throws(ToolError) {
    self.init(source: try KeySource(required: .from, from: arguments), passphrase: arguments.passphrase)
  }

  /// Takes a file.
  package init(path: String, passphrase: Passphrase?) {
    self.init(source: .file(path), passphrase: passphrase)
  }

  init(source: KeySource, passphrase: Passphrase?) {
    self.source = source
    self.passphrase = passphrase
  }

  /// What to call their place in a message.
  package var name: String { source.name }

  /// Whether the keys can be read again: a file can, a descriptor cannot.
  package var isRereadable: Bool { if case .file = source { true } else { false } }

  /// Reads the keys.
  package func load() throws(ToolError) -> KeySet {
    let keys = try Keys.load(from: source, passphrase: passphrase)
    guard keys.role == .sender else {
      throw KeyFileFailure.wrongRole(keys.role, at: source.name, needed: "a sender's")
    }
    return keys
  }

  /// Reads the keys, and finds the one that signs at a time.
  package func load(at now: UnixTime) throws(ToolError) -> (all: KeySet, active: SigningKey) {
    let keys = try load()
    return (keys, try Keys.found(at: source.name) { () throws(KeySetError) in try keys.signingKey(at: now) })
  }
}
