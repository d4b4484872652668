/// Parameters of OpenSSL's algorithms (`OSSL_PARAM`).
enum OpenSSLParameter {
  /// A parameter's name where it stands in the program, since the parameter keeps its address.
  @unsafe static func name(_ name: StaticString) -> UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
