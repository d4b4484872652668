import PushCrypto

extension HPKESuite: CustomStringConvertible {
  /// Every suite of HPKE that an envelope can have.
  static let allCases: [HPKESuite] = [.x25519ChaChaPoly, .p256AESGCM]

  /// The KEM.
  public var description: String { "KEM \(kem.id)" }
}
