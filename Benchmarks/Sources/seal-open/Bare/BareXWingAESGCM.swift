/// X-Wing, and AES-256-GCM from OpenSSL.
final class BareXWingAESGCM: BareSuite {
  private let kem: BareXWing
  private let cipher: BareAESGCM
  private var secret = [UInt8](repeating: 0, count: 32)

  init(plaintextSize: Int) throws {
    kem = try BareXWing()
    cipher = try BareAESGCM(plaintextSize: plaintextSize)
    try seal()
  }

  func seal() throws {
    try kem.encapsulate(into: &secret)
    try cipher.encrypt(key: secret)
  }

  func open() throws {
    try kem.decapsulate(into: &secret)
    try cipher.decrypt(key: secret)
  }
}
