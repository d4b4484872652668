package sealedpush;

/** The suites of section 2. X-Wing is known, and not supported: Android has no ML-KEM (rule 2.7). */
public enum Suite {
  X25519_CHACHAPOLY(0x01, 32), P256_AESGCM(0x02, 65), XWING_AESGCM(0x03, 1120), SHARED_CHACHAPOLY(0x10, 64);

  public final int number;
  /** The length of the encapsulated key, in bytes. */
  final int encapsulated;

  Suite(int number, int encapsulated) {
    this.number = number;
    this.encapsulated = encapsulated;
  }

  /** The suite with this number, or null. */
  static Suite numbered(int number) {
    for (Suite suite : values()) if (suite.number == number) return suite;
    return null;
  }
}
