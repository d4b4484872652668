package sealedpush;

/** The suites of section 2. */
public enum Suite {
  X25519_CHACHAPOLY(0x01, "x25519-chachapoly", "HPKE-4", 32),
  P256_AESGCM(0x02, "p256-aesgcm", "HPKE-7", 65),
  /** Known, and not supported: Android has no ML-KEM (rule 2.7). */
  XWING_AESGCM(0x03, "xwing-aesgcm", "xwing-aesgcm", 1120),
  SHARED_CHACHAPOLY(0x10, "shared-chachapoly", "shared-chachapoly", 64);

  public final int number;
  public final String text;
  /** A key's {@code alg}. */
  final String algorithm;
  /** The length of the encapsulated key, in bytes. */
  final int encapsulated;

  Suite(int number, String text, String algorithm, int encapsulated) {
    this.number = number;
    this.text = text;
    this.algorithm = algorithm;
    this.encapsulated = encapsulated;
  }

  /** The suite with this number, or null. */
  static Suite numbered(int number) {
    for (Suite suite : values()) if (suite.number == number) return suite;
    return null;
  }

  /** The suite with this name, or null. */
  public static Suite named(String text) {
    for (Suite suite : values()) if (suite.text.equals(text)) return suite;
    return null;
  }
}
