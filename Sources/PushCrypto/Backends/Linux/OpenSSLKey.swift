internal import COpenSSL

/// A key of OpenSSL's on its way from or to PEM, freed at the end of its life, and wiped by the library.
@safe
struct OpenSSLKey: ~Copyable {
  /// The key, for calls made while this value lives.
  let pointer: OpaquePointer

  /// Takes a public key; null if OpenSSL does not.
  init?(public publicKey: Span<UInt8>, _ kind: PEM.Kind) {
    let key = unsafe publicKey.withPointer { bytes, count in
      guard let type = kind.rawType else {
        return unsafe Self.p256(private: nil, public: (bytes, count), Self.publicPart)
      }
      return unsafe EVP_PKEY_new_raw_public_key(type, nil, bytes, count)
    }
    guard let key = unsafe key else { return nil }
    unsafe pointer = unsafe key
  }

  /// Takes a private key with its public one; null if OpenSSL does not.
  init?(private privateKey: Span<UInt8>, _ publicKey: Span<UInt8>, _ kind: PEM.Kind) {
    let key: OpaquePointer?
    if let type = kind.rawType {
      unsafe key = unsafe privateKey.withPointer { bytes, count in
        unsafe EVP_PKEY_new_raw_private_key(type, nil, bytes, count)
      }
    } else {
      let number = Secret(count: privateKey.count) { number in
        for index in privateKey.indices {
          number[Self.place(of: index, privateKey.count)] = privateKey[index]
        }
      }
      unsafe key = unsafe Self.p256(number.exposedBytes, publicKey)
    }
    guard let key = unsafe key else { return nil }
    unsafe pointer = unsafe key
  }

  /// Reads PKCS#8; null unless it is that and no more.
  init?(_ block: borrowing PEMBlock) {
    var place = unsafe block.contents.baseAddress
    let count = unsafe block.contents.count
    guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &place, count) else { return nil }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }  // wipes the key
    guard unsafe place == block.contents.baseAddress.map({ unsafe $0 + count }),
      let key = unsafe EVP_PKCS82PKEY(info)
    else { return nil }
    unsafe pointer = unsafe key
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// What it is of; null for a kind that has no use here.
  var kind: PEM.Kind? {
    if unsafe EVP_PKEY_is_a(pointer, "X25519") == 1 { return .x25519 }
    if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
    guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
    return name.prefix(count).elementsEqual("prime256v1".utf8.lazy.map { CChar($0) }) ? .p256 : nil
  }

  /// Whether the public key that came with it is its own.
  var isConsistent: Bool {
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    return unsafe EVP_PKEY_pairwise_check(context) == 1
  }

  /// The private key, 32 bytes; null if it has another length.
  func secret(_ kind: PEM.Kind) -> Secret? {
    var isRead = false
    let secret = Secret(count: Self.size) { bytes in
      isRead = unsafe bytes.withPointer { bytes, count in
        unsafe kind == .p256 ? number(into: bytes, count) : rawKey(into: bytes, count)
      }
    }
    guard isRead else { return nil }
    return secret
  }

  /// The length of each kind's private key, in bytes.
  private static let size = 32

  @unsafe private func rawKey(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    var written = count
    return unsafe EVP_PKEY_get_raw_private_key(pointer, bytes, &written) == 1 && written == count
  }

  @unsafe private func number(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else { return false }
    defer { unsafe BN_clear_free(number) }
    return unsafe BN_bn2binpad(number, bytes, CInt(count)) == count
  }
}

/// P-256, which OpenSSL has no raw form of.
extension OpenSSLKey {
  /// The place in a number of OpenSSL's parameters, which are in the processor's order, of a byte in big endian.
  private static func place(of index: Int, _ count: Int) -> Int {
    1.littleEndian == 1 ? count - 1 - index : index
  }

  private static func p256(_ number: Span<UInt8>, _ point: Span<UInt8>) -> OpaquePointer? {
    unsafe number.withPointer { number, size in
      unsafe point.withPointer { point, count in
        unsafe p256(
          private: (number, size), public: (point, count), publicPart | OSSL_KEYMGMT_SELECT_PRIVATE_KEY)
      }
    }
  }

  /// EVP_PKEY_PUBLIC_KEY, a macro that Swift does not see.
  private static let publicPart =
    OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
    | OSSL_KEYMGMT_SELECT_PUBLIC_KEY

  private typealias Bytes = (start: UnsafePointer<UInt8>, count: Int)

  @unsafe private static func p256(
    private number: Bytes?, public point: Bytes, _ selection: CInt
  ) -> OpaquePointer? {
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var group = Array("prime256v1".utf8CString)
    var key: OpaquePointer?
    let isMade = unsafe group.withUnsafeMutableBufferPointer { group in
      var parameters = unsafe [
        OSSL_PARAM_construct_utf8_string(OpenSSLParameter.name("group"), group.baseAddress, 0),
        OSSL_PARAM_construct_octet_string(
          OpenSSLParameter.name("pub"), UnsafeMutablePointer(mutating: point.start), point.count),
      ]
      if let number = unsafe number {
        unsafe parameters.append(
          OSSL_PARAM_construct_BN(
            OpenSSLParameter.name("priv"), UnsafeMutablePointer(mutating: number.start), number.count))
      }
      unsafe parameters.append(OSSL_PARAM_construct_end())
      return unsafe EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, selection, &parameters) == 1
    }
    return isMade ? unsafe key : nil
  }
}

extension PEM.Kind {
  /// OpenSSL's name of a kind whose keys are bytes alone.
  fileprivate var rawType: CInt? {
    switch self {
    case .x25519: NID_X25519
    case .ed25519: NID_ED25519
    case .p256: nil
    }
  }
}
