/// P-256 and AES-256-GCM from OpenSSL.
final class BareP256AESGCM: BareSuite {
  private let curve: BareP256
  private let cipher: BareAESGCM
  private let privateKey = [UInt8](repeating: 0x42, count: 32)
  private let peerKey: [UInt8]
  private var ephemeralKey = [UInt8](repeating: 0, count: 65)
  private var secret = [UInt8](repeating: 0, count: 32)

  init(plaintextSize: Int) throws {
    curve = try BareP256()
    cipher = try BareAESGCM(plaintextSize: plaintextSize)
    var peerKey = [UInt8](repeating: 0, count: 65)
    try curve.multiplyBasePoint([UInt8](repeating: 0x17, count: 32), into: &peerKey)
    self.peerKey = peerKey
    try seal()
  }

  func seal() throws {
    try curve.multiplyBasePoint(privateKey, into: &ephemeralKey)
    try curve.multiply(peerKey, by: privateKey, into: &secret)
    try cipher.encrypt(key: secret)
    blackHole(ephemeralKey)
  }

  func open() throws {
    try curve.multiply(peerKey, by: privateKey, into: &secret)
    try cipher.decrypt(key: secret)
  }
}
