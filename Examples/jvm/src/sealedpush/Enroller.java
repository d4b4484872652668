package sealedpush;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
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
    boolean good = Claims.isApplicationID(topic) && Claims.isAudience(audience) && Claims.isToken(token);
    if (!good) throw new IllegalArgumentException("no application id, audience or token of section 11");
  }

  /** The keys that the device enrols, by suite. */
  public List<Jwk> activeKeys() throws Refused {
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
      throws IOException, GeneralSecurityException, Refused {
    Json.Obj claims = Json.Obj.of("v", 1L, "topic", topic, "serial", identity.nextSerial(now), "iat", now,
        "service", "fcm", "token", token, "audience", audience, "challenge", challenge, "proof", proof,
        "keys", new KeySet(activeKeys(), null, 0).object(false));
    return Json.write(Json.Obj.of("v", 1L, "service", "fcm", "topic", topic, "token", token,
        "keys", sign("sealed-push-keys+jws", claims)));
  }

  /** What an app hands in, perhaps later, after a sign-out. Sign it before the keys are destroyed. */
  public String leave(long now) throws IOException, GeneralSecurityException, Refused {
    Json.Obj claims = Json.Obj.of("v", 1L, "topic", topic, "serial", identity.nextSerial(now), "iat", now,
        "audience", audience);
    return Json.write(Json.Obj.of("v", 1L, "leave", sign("sealed-push-leave+jws", claims)));
  }

  private String sign(String type, Json.Obj claims) throws GeneralSecurityException {
    Json.Obj jwk = Json.Obj.of("crv", "Ed25519", "kty", "OKP", "x", Bytes.base64url(identity.publicKey()));
    return jws(identity, Json.write(Json.Obj.of("alg", "EdDSA", "typ", type, "jwk", jwk)), Json.write(claims));
  }

  static String jws(Identity identity, String header, String claims) throws GeneralSecurityException {
    String signed = Bytes.base64url(Bytes.utf8(header)) + "." + Bytes.base64url(Bytes.utf8(claims));
    return signed + "." + Bytes.base64url(identity.sign(Bytes.utf8(signed)));
  }
}
