package sealedpush;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.*;
import java.util.stream.Collectors;

/**
 * What a device signs for its backend, by section 11.
 *
 * @param topic the application id
 * @param audience the backend's name, which the app has built in
 * @param token FCM's registration token
 */
public record Enroller(Identity identity, DeviceKeys keys, String topic, String audience, String token) {
  public Enroller {
    boolean good = Claims.isTopic(topic) && Claims.isAudience(audience) && Claims.isToken(token);
    if (!good) throw new IllegalArgumentException("no application id, audience or token of section 11");
  }

  /** The keys that the device enrols, by suite. */
  public List<Jwk> activeKeys() throws DeviceKeys.Locked {
    return keys.keys().stream().map(DeviceKeys.Key::jwk)
        .filter(key -> key.isActive() && key.kind() != Jwk.Kind.SHARED).collect(Collectors.toList());
  }

  /**
   * An enrolment.
   *
   * @param challenge what the backend issued for this login, or null
   * @param proof of a request that is answered, or null
   */
  public String enrolment(long now, String challenge, String proof)
      throws IOException, GeneralSecurityException, DeviceKeys.Locked {
    var claims = claims(now);
    claims.put("service", "fcm");
    claims.put("token", token);
    if (challenge != null) claims.put("challenge", challenge);
    if (proof != null) claims.put("proof", proof);
    claims.put("keys", new KeySet(activeKeys(), null, 0).object(false));
    String keys = sign("sealed-push-keys+jws", claims);
    var members = new LinkedHashMap<String, Object>(Map.of("v", 1L));
    members.put("service", "fcm");
    members.put("topic", topic);
    members.put("token", token);
    members.put("keys", keys);
    return Json.write(new Json.Obj(members));
  }

  /** What an app hands in, perhaps later, after a sign-out. Sign it before the keys are destroyed. */
  public String leave(long now) throws IOException, GeneralSecurityException {
    var members = new LinkedHashMap<String, Object>(Map.of("v", 1L));
    members.put("leave", sign("sealed-push-leave+jws", claims(now)));
    return Json.write(new Json.Obj(members));
  }

  private Map<String, Object> claims(long now) throws IOException, GeneralSecurityException {
    var claims = new LinkedHashMap<String, Object>(Map.of("v", 1L));
    claims.put("topic", topic);
    claims.put("serial", identity.nextSerial(now));
    claims.put("iat", now);
    claims.put("audience", audience);
    return claims;
  }

  private String sign(String type, Map<String, Object> claims) throws GeneralSecurityException {
    var jwk = new LinkedHashMap<String, Object>(Map.of("crv", "Ed25519"));
    jwk.put("kty", "OKP");
    jwk.put("x", Bytes.base64url(identity.publicKey()));
    var header = new LinkedHashMap<String, Object>(Map.of("alg", "EdDSA"));
    header.put("typ", type);
    header.put("jwk", new Json.Obj(jwk));
    return jws(identity, Json.write(new Json.Obj(header)), Json.write(new Json.Obj(claims)));
  }

  static String jws(Identity identity, String header, String claims) throws GeneralSecurityException {
    String signed = Bytes.base64url(Bytes.utf8(header)) + "." + Bytes.base64url(Bytes.utf8(claims));
    return signed + "." + Bytes.base64url(identity.sign(Bytes.ascii(signed)));
  }
}
