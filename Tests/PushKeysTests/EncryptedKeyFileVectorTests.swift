import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

@Suite("An encrypted key file that another implementation wrote")
struct EncryptedKeyFileVectorTests {
  /// A file that `Checks/Independent/key_files.py` wrote with the passphrase "correct horse".
  static let contents = """
    {"v":1,"encrypted":{"kdf":"argon2id","passes":1,"memory":8192,"salt":"2YDC1DKT-d1Vn7NsUL6T3w","ciphe\
    r":"xchacha20-poly1305","nonce":"c0LSMubmxGK5ng9DjFo1SEaARAbUGvyg"},"ciphertext":"ogJNAlhx1JLTYzJ8Sm\
    S-knT3ZJn45x2gZ0Uu0NMBlrURpt_ifqkcxXekDRf-OEnY6iZfJaTUqT0FVcWaPGEshz2N_P3XBMphdrkTu3TeoyUByPxwnLy-Yz\
    J7ddKewmxdIjks-0LTaYWX-1aQZ7-6YQIwl29w59rv9MYhli1o3ruJdnF_W06z-43_SeBs5-a4wrYRUcVlPFFOKYvdP4HNdL1WwY\
    SNoI2SWlldqqNwOquRAXSl70_S2ISg9iPhO3w-s8PyUtLNItmwoH8qVsma2M5y6WdFa31zxmahT-2E4z9g8OpqiKb20GqfL3kXn2\
    Eju8en7mC9-DLtADJ6Kcq0yvHJKRUElzB8QKQO4TqRXx6_MTGs52E","sha256":"m9uQ9LWSg6bMrWEeK4z6BfrOR0iyzC_-blP\
    xbDRhzoQ"}
    """

  @Test func opens() throws {
    guard Argon2id.isAvailable else {
      // CryptoKit lacks the algorithms.
      let folder = try TemporaryFolder()
      try folder.write(Self.contents)
      let file = EncryptedFile.cheap(folder.path(of: "keys.json"), passphrase())
      expectFault(.encryptionUnavailable) { try file.load() }
      return
    }
    let encrypted = try EncryptedFile()
    #expect(try encrypted.fault(of: Self.contents) == nil)
    let records = try encrypted.file.load().records
    #expect(records.map(\.id.text) == ["FkzfJdmkd6Id8cv6ZJwScqlHq2PvkpX4wNqpVKRVJVM"])
  }
}
