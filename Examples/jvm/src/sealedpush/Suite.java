package sealedpush;

import java.util.Arrays;

/** The suites of section 2. */
public enum Suite {
  X25519_CHACHAPOLY(0x01, "x25519-chachapoly", 32),
  P256_AESGCM(0x02, "p256-aesgcm", 65),
  /** Known, and not supported: Android has no ML-KEM (rule 2.7). */
  XWING_AESGCM(0x03, "xwing-aesgcm", 1120),
  SHARED_CHACHAPOLY(0x10, "shared-chachapoly", 64);

  public final int number;
  public final String text;
  /** The length of the encapsulated key, in bytes. */
  final int encapsulated;

  Suite(int number, String text, int encapsulated) {
    this.number = number;
    this.text = text;
    this.encapsulated = encapsulated;
  }

  /** The suite with this number, or null. */
  static Suite numbered(int number) {
    return Arrays.stream(values()).filter(suite -> suite.number == number).findFirst().orElse(null);
  }

  /** The suite with this name, or null. */
  public static Suite named(String text) {
    return Arrays.stream(values()).filter(suite -> suite.text.equals(text)).findFirst().orElse(null);
  }
}
