package sealedpush;

import java.security.GeneralSecurityException;
import java.util.*;

/**
 * One key of a JWK Set, by section 3.
 *
 * @param publicKey u, y, 0x04 | x | y, or {@code pub}; empty for a shared key
 * @param thumbprint T, 32 bytes, computed from the key
 * @param secret {@code d}, {@code priv} or {@code k}; null in a public set
 * @param status {@code active}, {@code accepted} or {@code next}
 */
public record Jwk(Kind kind, byte[] publicKey, byte[] thumbprint, byte[] secret, Long issued, Long notBefore,
    Long expires, String status) {
  /** What a key is for, and the members that say so. */
  public enum Kind {
    ED25519(null, "OKP", "Ed25519", "EdDSA", "d"),
    X25519(Suite.X25519_CHACHAPOLY, "OKP", "X25519", "HPKE-4", "d"),
    P256(Suite.P256_AESGCM, "EC", "P-256", "HPKE-7", "d"),
    XWING(Suite.XWING_AESGCM, "AKP", null, "xwing-aesgcm", "priv"),
    SHARED(Suite.SHARED_CHACHAPOLY, "oct", null, "shared-chachapoly", "k");

    /** Null for a key that signs. */
    public final Suite suite;
    final String type;
    final String curve;
    final String algorithm;
    final String secret;

    Kind(Suite suite, String type, String curve, String algorithm, String secret) {
      this.suite = suite;
      this.type = type;
      this.curve = curve;
      this.algorithm = algorithm;
      this.secret = secret;
    }

    String use() { return this == ED25519 ? "sig" : "enc"; }

    boolean isOf(Json.Obj jwk) {
      return type.equals(jwk.get("kty")) && Objects.equals(curve, jwk.get("crv")) && jwk.has("crv") == (curve != null)
          && jwk.has("x") == (curve != null) && jwk.has("y") == (this == P256) && jwk.has("pub") == (this == XWING);
    }
  }

  private static final List<String> SECRETS = List.of("d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv");

  /** An active key pair that was just made; without its secret, the key of a pair that is elsewhere. */
  public static Jwk of(Kind kind, byte[] publicKey, byte[] secret, long issued, boolean active) {
    String status = active ? "active" : "accepted";
    return new Jwk(kind, publicKey, thumbprint(kind, publicKey), secret, issued, null, null, status);
  }

  Jwk accepted() { return new Jwk(kind, publicKey, thumbprint, secret, issued, notBefore, expires, "accepted"); }

  public boolean isActive() { return status.equals("active"); }

  boolean hasExpired(long now) { return expires != null && now > expires; }

  /** The key id: T's first 8 bytes. */
  byte[] keyID() { return Bytes.slice(thumbprint, 0, 8); }

  public String kid() { return Bytes.base64url(thumbprint); }

  /** T of a public key: RFC 7638, whose members are sorted by name. */
  static byte[] thumbprint(Kind kind, byte[] key) {
    var hashed = new TreeMap<>(members(kind, key));
    if (kind == Kind.XWING) hashed.put("alg", kind.algorithm);
    return Bytes.sha256(Bytes.utf8(Json.write(new Json.Obj(hashed))));
  }

  private static Map<String, Object> members(Kind kind, byte[] key) {
    boolean isP256 = kind == Kind.P256;
    return Json.Obj.of("kty", kind.type, "pub", kind == Kind.XWING ? Bytes.base64url(key) : null, "crv", kind.curve,
        "x", kind.curve == null ? null : Bytes.base64url(isP256 ? Bytes.slice(key, 1, 33) : key),
        "y", isP256 ? Bytes.base64url(Bytes.slice(key, 33, 65)) : null).members();
  }

  Json.Obj object(boolean withSecret) {
    var members = members(kind, publicKey);
    members.putAll(Json.Obj.of(kind.secret, withSecret ? Bytes.base64url(secret) : null, "kid", kid(),
        "use", kind.use(), "alg", kind.algorithm, "iat", issued, "nbf", notBefore, "exp", expires, "status", status)
        .members());
    return new Json.Obj(members);
  }

  /** Reads a key, or returns null if it makes its set a bad one. */
  static Jwk read(Json.Obj jwk, boolean isPrivate) {
    Kind kind = Arrays.stream(Kind.values()).filter(each -> each.isOf(jwk)).findFirst().orElse(null);
    if (kind == null || (!isPrivate && (kind == Kind.SHARED || SECRETS.stream().anyMatch(jwk::has)))) return null;
    if ((jwk.has("alg") || kind.curve == null) && !kind.algorithm.equals(jwk.get("alg"))) return null;
    if (jwk.has("use") && !kind.use().equals(jwk.get("use"))) return null;
    for (String time : List.of("iat", "nbf", "exp")) if (jwk.has(time) && jwk.seconds(time) == null) return null;
    String status = jwk.has("status") ? jwk.string("status") : "active";
    boolean isNext = "next".equals(status) && isPrivate && kind == Kind.ED25519;
    if (!isNext && !"active".equals(status) && !"accepted".equals(status)) return null;
    try {
      byte[] key = publicKey(kind, jwk);
      byte[] secret = isPrivate ? Bytes.fromBase64url(jwk.get(kind.secret), 32) : null;
      if (key == null || (isPrivate && secret == null)) return null;
      if (kind == Kind.SHARED && Arrays.equals(secret, new byte[32])) return null;
      byte[] thumbprint = kind != Kind.SHARED ? thumbprint(kind, key)
          : Hkdf.expand(Hkdf.extract(new byte[0], secret), Bytes.utf8("sealed-push v1 shared id"), 32);
      if (jwk.has("kid") && !Bytes.base64url(thumbprint).equals(jwk.get("kid"))) return null;
      return new Jwk(kind, key, thumbprint, secret, jwk.seconds("iat"), jwk.seconds("nbf"), jwk.seconds("exp"), status);
    } catch (GeneralSecurityException fault) {
      return null;
    }
  }

  private static byte[] publicKey(Kind kind, Json.Obj jwk) throws GeneralSecurityException {
    if (kind == Kind.SHARED) return new byte[0];
    byte[] key = kind == Kind.XWING ? Bytes.fromBase64url(jwk.get("pub"), 1216) : Bytes.fromBase64url(jwk.get("x"), 32);
    byte[] y = kind == Kind.P256 ? Bytes.fromBase64url(jwk.get("y"), 32) : new byte[0];
    if (key == null || y == null) return null;
    if (kind == Kind.P256) key = Bytes.join(new byte[] {4}, key, y);
    boolean isGood = switch (kind) {
      case ED25519 -> Curves.isGoodEd25519(key);
      case P256 -> Curves.pointOfP256(key) != null;
      case XWING -> isGoodMLKEM(key) && Curves.isGoodX25519(Bytes.slice(key, 1184, 1216));
      default -> Curves.isGoodX25519(key);
    };
    return isGood ? key : null;
  }

  /** Whether each of ML-KEM's numbers is below 3329. */
  private static boolean isGoodMLKEM(byte[] key) {
    for (int at = 0; at < 1152; at += 3) {
      int b = key[at + 1] & 0xff;
      if ((key[at] & 0xff) + 256 * (b % 16) >= 3329 || b / 16 + 16 * (key[at + 2] & 0xff) >= 3329) return false;
    }
    return true;
  }
}
