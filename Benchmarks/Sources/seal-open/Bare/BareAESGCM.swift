import BareOpenSSL

/// AES-256-GCM from OpenSSL, with a context that is used again and a key that is set for each message.
final class BareAESGCM {
  private let encryption: OpaquePointer
  private let decryption: OpaquePointer
  private let nonce = [UInt8](repeating: 0x24, count: 12)
  private var plaintext: [UInt8]
  private var ciphertext: [UInt8]
  private var tag = [UInt8](repeating: 0, count: 16)

  /// What is allocated here lives as long as the process.
  init(plaintextSize: Int) throws {
    plaintext = [UInt8](repeating: 0, count: plaintextSize)
    ciphertext = [UInt8](repeating: 0, count: plaintextSize)
    guard let encryption = EVP_CIPHER_CTX_new(), let decryption = EVP_CIPHER_CTX_new(),
      EVP_EncryptInit_ex(encryption, EVP_aes_256_gcm(), nil, nil, nil) == 1,
      EVP_DecryptInit_ex(decryption, EVP_aes_256_gcm(), nil, nil, nil) == 1
    else { throw BenchmarkError.primitiveFailed }
    (self.encryption, self.decryption) = (encryption, decryption)
  }

  func encrypt(key: [UInt8]) throws {
    var written: CInt = 0
    guard EVP_EncryptInit_ex(encryption, nil, nil, key, nonce) == 1,
      EVP_EncryptUpdate(encryption, &ciphertext, &written, plaintext, CInt(plaintext.count)) == 1,
      EVP_EncryptFinal_ex(encryption, &tag, &written) == 1,
      EVP_CIPHER_CTX_ctrl(encryption, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag) == 1
    else { throw BenchmarkError.primitiveFailed }
    blackHole(ciphertext)
  }

  func decrypt(key: [UInt8]) throws {
    var written: CInt = 0
    guard EVP_DecryptInit_ex(decryption, nil, nil, key, nonce) == 1,
      EVP_DecryptUpdate(decryption, &plaintext, &written, ciphertext, CInt(ciphertext.count)) == 1,
      EVP_CIPHER_CTX_ctrl(decryption, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1,
      EVP_DecryptFinal_ex(decryption, &tag, &written) == 1
    else { throw BenchmarkError.primitiveFailed }
    blackHole(plaintext)
  }
}
