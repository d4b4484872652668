package sealedpush;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;

/** Bytes: joined, hashed, and as the strict base64url of rule 2.1. */
final class Bytes {
  private Bytes() {}

  static byte[] utf8(String text) { return text.getBytes(StandardCharsets.UTF_8); }

  static byte[] join(byte[]... parts) {
    var result = new ByteArrayOutputStream();
    for (byte[] part : parts) result.write(part, 0, part.length);
    return result.toByteArray();
  }

  static byte[] slice(byte[] bytes, int from, int to) { return Arrays.copyOfRange(bytes, from, to); }

  static byte[] of(UUID id) {
    return ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).array();
  }

  static byte[] number(long value, int length) { return number(BigInteger.valueOf(value), length); }

  /** Unsigned and big endian, in {@code length} bytes. */
  static byte[] number(BigInteger value, int length) {
    byte[] bytes = value.toByteArray();
    int count = Math.min(length, bytes.length);
    return join(new byte[length - count], slice(bytes, bytes.length - count, bytes.length));
  }

  static BigInteger littleEndian(byte[] bytes) { return new BigInteger(1, reversed(bytes)); }

  static byte[] reversed(byte[] bytes) {
    byte[] result = new byte[bytes.length];
    for (int index = 0; index < bytes.length; index += 1) result[index] = bytes[bytes.length - 1 - index];
    return result;
  }

  static byte[] sha256(byte[]... parts) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(join(parts));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  static String base64url(byte[] bytes) { return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes); }

  /** What the text encodes by rule 2.1, or null. Decoders accept more, so the bytes are encoded again. */
  static byte[] fromBase64url(String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return base64url(bytes).equals(text) ? bytes : null;
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  /** The same for text of exactly {@code length} bytes; null for any other value. */
  static byte[] fromBase64url(Object text, int length) {
    byte[] bytes = text instanceof String string ? fromBase64url(string) : null;
    return bytes != null && bytes.length == length ? bytes : null;
  }
}
