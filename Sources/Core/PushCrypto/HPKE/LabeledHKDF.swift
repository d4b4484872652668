/// HKDF with HPKE's labels (RFC 9180, 4).
struct LabeledHKDF {
  let suiteID: [UInt8]
  var hmac = HMACSHA256()

  /// LabeledExtract(salt, label, ikm):
  /// labeled_ikm = concat("HPKE-v1", suite_id, label, ikm); return Extract(salt, labeled_ikm).
  func extract(salt: Span<UInt8>, label: StaticString, ikm: Span<UInt8>) -> Secret {
    HKDFSHA256.extract(salt: salt, by: hmac) { feedLabeled(label: label, ikm: ikm, to: $0) }
  }

  /// LabeledExtract(salt, label, ikm); the following expansions use its result as their prk.
  func extractKey(salt: Span<UInt8>, label: StaticString, ikm: Span<UInt8>) {
    HKDFSHA256.extractKey(salt: salt, by: hmac) { feedLabeled(label: label, ikm: ikm, to: $0) }
  }

  /// LabeledExpand(prk, label, info, L):
  /// labeled_info = concat(I2OSP(L, 2), "HPKE-v1", suite_id, label, info); return Expand(prk, labeled_info, L).
  ///
  /// The prk is the last result of ``extractKey(salt:label:ikm:)``; `info` supplies the info.
  func expand(
    label: StaticString, count: Int, info: (borrowing HMACSHA256) -> Void = { _ in }
  ) -> Secret {
    HKDFSHA256.expand(count: count, by: hmac) { hmac in
      hmac.update(UInt8(truncatingIfNeeded: count >> 8))
      hmac.update(UInt8(truncatingIfNeeded: count))
      hmac.update("HPKE-v1")
      hmac.update(suiteID.span)
      hmac.update(label)
      info(hmac)
    }
  }

  /// concat("HPKE-v1", suite_id, label, ikm).
  private func feedLabeled(label: StaticString, ikm: Span<UInt8>, to hmac: borrowing HMACSHA256) {
    hmac.update("HPKE-v1")
    hmac.update(suiteID.span)
    hmac.update(label)
    hmac.update(ikm)
  }
}
