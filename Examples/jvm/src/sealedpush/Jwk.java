package sealedpush;

import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One key of a JWK Set, by section 3.
 *
 * @param suite a device's or shared key's; null for Ed25519
 * @param publicKey as bytes: u, y, 0x04 | x | y, or {@code pub}; empty for a shared key
 * @param thumbprint T, 32 bytes, computed from the key
 * @param secret {@code d}, {@code priv} or {@code k}; null in a public set
 * @param status {@code active}, {@code accepted} or {@code next}
 */
public record Jwk(Suite suite, byte[] publicKey, byte[] thumbprint, byte[] secret, Long issued, Long notBefore,
    Long expires, String status) {
  private static final List<String> SECRETS = List.of("d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv");
  private static final String[] TIMES = {"iat", "nbf", "exp"};

  /** A public key that was just made, or restored. */
  public static Jwk of(Suite suite, byte[] publicKey, long issued, String status) {
    return new Jwk(suite, publicKey, thumbprint(suite, publicKey), null, issued, null, null, status);
  }

  public boolean isActive() { return status.equals("active"); }

  boolean hasExpired(long now) { return expires != null && now > expires; }

  /** The key id: T's first 8 bytes. */
  byte[] keyID() { return Bytes.slice(thumbprint, 0, 8); }

  public String kid() { return Bytes.base64url(thumbprint); }

  /** T of a shared key. */
  static byte[] sharedThumbprint(byte[] key) throws GeneralSecurityException {
    return Hkdf.expand(Hkdf.extract(new byte[0], key), Bytes.ascii("sealed-push v1 shared id"), 32);
  }

  /** T of a public key: RFC 7638, whose members happen to be sorted by name. */
  static byte[] thumbprint(Suite suite, byte[] key) {
    var hashed = new java.util.TreeMap<String, Object>(members(suite, key));
    if (suite == Suite.XWING_AESGCM) hashed.put("alg", suite.algorithm);
    return Bytes.sha256(Bytes.utf8(Json.write(new Json.Obj(hashed))));
  }

  private static Map<String, Object> members(Suite suite, byte[] key) {
    var members = new LinkedHashMap<String, Object>();
    members.put("kty", suite == Suite.P256_AESGCM ? "EC" : suite == Suite.XWING_AESGCM ? "AKP" : "OKP");
    if (suite == Suite.XWING_AESGCM) {
      members.put("pub", Bytes.base64url(key));
    } else if (suite == Suite.P256_AESGCM) {
      members.put("crv", "P-256");
      members.put("x", Bytes.base64url(Bytes.slice(key, 1, 33)));
      members.put("y", Bytes.base64url(Bytes.slice(key, 33, 65)));
    } else {
      members.put("crv", suite == null ? "Ed25519" : "X25519");
      members.put("x", Bytes.base64url(key));
    }
    return members;
  }

  /** The key as a JWK, with its secret if it has one and {@code withSecret}. */
  Json.Obj object(boolean withSecret) {
    boolean shared = suite == Suite.SHARED_CHACHAPOLY;
    var members = shared ? new LinkedHashMap<String, Object>(Map.of("kty", "oct")) : members(suite, publicKey);
    if (withSecret) members.put(shared ? "k" : suite == Suite.XWING_AESGCM ? "priv" : "d", Bytes.base64url(secret));
    members.put("kid", kid());
    members.put("use", suite == null ? "sig" : "enc");
    members.put("alg", suite == null ? "EdDSA" : suite.algorithm);
    Long[] times = {issued, notBefore, expires};
    for (int index = 0; index < 3; index += 1) if (times[index] != null) members.put(TIMES[index], times[index]);
    members.put("status", status);
    return new Json.Obj(members);
  }

  /** Reads a key, or returns null if it makes its set a bad one. */
  static Jwk read(Json.Obj jwk, boolean isPrivate) {
    try {
      if (!isPrivate && SECRETS.stream().anyMatch(jwk::has)) return null;
      String kty = jwk.string("kty");
      boolean known = kty != null && List.of("OKP", "EC", "AKP", "oct").contains(kty);
      if (!known || (kty.equals("oct") && !isPrivate)) return null;
      boolean onCurve = kty.equals("OKP") || kty.equals("EC");
      String crv = jwk.string("crv");
      Suite suite = switch (kty) {
        case "oct" -> Suite.SHARED_CHACHAPOLY;
        case "AKP" -> Suite.XWING_AESGCM;
        case "EC" -> Suite.P256_AESGCM;
        default -> "Ed25519".equals(crv) ? null : Suite.X25519_CHACHAPOLY;
      };
      if (onCurve && !(suite == null ? "Ed25519" : suite == Suite.P256_AESGCM ? "P-256" : "X25519").equals(crv)) {
        return null;
      }
      if (!onCurve && (jwk.has("crv") || jwk.has("x"))) return null;
      if (jwk.has("y") != (suite == Suite.P256_AESGCM) || jwk.has("pub") != (suite == Suite.XWING_AESGCM)) return null;
      boolean algorithmRequired = !onCurve;
      String algorithm = suite == null ? "EdDSA" : suite.algorithm;
      if ((algorithmRequired || jwk.has("alg")) && !algorithm.equals(jwk.get("alg"))) return null;
      if (jwk.has("use") && !(suite == null ? "sig" : "enc").equals(jwk.get("use"))) return null;

      byte[] key = publicKey(suite, jwk);
      if (key == null) return null;
      byte[] secret = null;
      if (isPrivate) {
        secret = Bytes.fromBase64url(jwk.get(kty.equals("oct") ? "k" : kty.equals("AKP") ? "priv" : "d"), 32);
        if (secret == null) return null;
      }
      byte[] thumbprint = suite == Suite.SHARED_CHACHAPOLY ? sharedThumbprint(secret) : thumbprint(suite, key);
      if (suite == Suite.SHARED_CHACHAPOLY && java.util.Arrays.equals(secret, new byte[32])) return null;
      if (jwk.has("kid") && !Bytes.base64url(thumbprint).equals(jwk.get("kid"))) return null;
      for (String time : TIMES) if (jwk.has(time) && jwk.seconds(time) == null) return null;
      String status = jwk.has("status") ? jwk.string("status") : "active";
      boolean goodStatus = status != null && (status.equals("active") || status.equals("accepted")
          || (status.equals("next") && suite == null && isPrivate));
      if (!goodStatus) return null;
      return new Jwk(suite, key, thumbprint, secret, jwk.seconds("iat"), jwk.seconds("nbf"), jwk.seconds("exp"), status);
    } catch (GeneralSecurityException fault) {
      return null;
    }
  }

  private static byte[] publicKey(Suite suite, Json.Obj jwk) throws GeneralSecurityException {
    if (suite == Suite.SHARED_CHACHAPOLY) return new byte[0];
    if (suite == Suite.XWING_AESGCM) return xwingKey(Bytes.fromBase64url(jwk.get("pub"), 1216));
    byte[] x = Bytes.fromBase64url(jwk.get("x"), 32);
    if (x == null) return null;
    if (suite == null) return Curves.isGoodEd25519(x) ? x : null;
    if (suite == Suite.X25519_CHACHAPOLY) {
      return Curves.isCanonicalX25519(x) && !Curves.isSmallOrderX25519(x) ? x : null;
    }
    byte[] y = Bytes.fromBase64url(jwk.get("y"), 32);
    if (y == null) return null;
    byte[] point = Bytes.join(new byte[] {4}, x, y);
    return Curves.isOnP256(point) ? point : null;
  }

  /** The key, if section 3 finds nothing wrong in it: each of ML-KEM's numbers is below 3329. */
  private static byte[] xwingKey(byte[] key) {
    if (key == null) return null;
    for (int at = 0; at < 1152; at += 3) {
      int a = key[at] & 0xff;
      int b = key[at + 1] & 0xff;
      int c = key[at + 2] & 0xff;
      if (a + 256 * (b % 16) >= 3329 || b / 16 + 16 * c >= 3329) return null;
    }
    byte[] x = Bytes.slice(key, 1184, 1216);
    return Curves.isCanonicalX25519(x) && !Curves.isSmallOrderX25519(x) ? key : null;
  }
}
