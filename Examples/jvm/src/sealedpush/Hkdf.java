package sealedpush;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF-SHA256 (RFC 5869). */
final class Hkdf {
  private Hkdf() {}

  private static byte[] hmac(byte[] key, byte[] text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.length == 0 ? new byte[32] : key, "HmacSHA256"));  // Java has no empty keys.
    return mac.doFinal(text);
  }

  static byte[] extract(byte[] salt, byte[] material) throws GeneralSecurityException { return hmac(salt, material); }

  static byte[] expand(byte[] key, byte[] info, int length) throws GeneralSecurityException {
    byte[] result = {};
    byte[] block = {};
    for (int counter = 1; result.length < length; counter += 1) {
      block = hmac(key, Bytes.join(block, info, new byte[] {(byte) counter}));
      result = Bytes.join(result, block);
    }
    return Bytes.slice(result, 0, length);
  }
}
