package sealedpush;

import java.util.*;

/**
 * A set of senders that a root signed, by rules 11.1 to 11.9.
 *
 * @param text the JWS, which an app keeps
 * @param signer T of the root
 * @param issued when it was signed, for people to read
 * @param end the last second of which its keys are trusted messages' issued at
 */
public record SignedSenders(String text, String signer, long serial, long issued, long end, KeySet keys) {
  private static final int LONGEST = 65_536;

  /**
   * Reads a set.
   *
   * @param roots the pinned ones: a public set whose role is {@code root}
   * @param topic the app's bundle id, or application id
   */
  public static SignedSenders read(String text, KeySet roots, String topic, Ed25519 ed25519) throws Refused {
    if (roots == null || !"root".equals(roots.role())) throw new IllegalArgumentException("these are no roots");
    Refused.unless(Bytes.utf8(text).length <= LONGEST, "11.1", Reason.TOO_LARGE);
    String[] parts = text.split("\\.", 4);
    byte[][] bytes = Arrays.stream(parts).map(Bytes::fromBase64url).toArray(byte[][]::new);
    boolean isJWS = bytes.length == 3 && Arrays.stream(bytes).allMatch(part -> part != null && part.length > 0);
    Refused.unless(isJWS, "11.2", Reason.MALFORMED_JWS);

    Json.Obj header = Json.objectOrNull(bytes[0]);
    Refused.unless(header != null, "11.3", Reason.MALFORMED_HEADER);
    Refused.unless("EdDSA".equals(header.get("alg")), "11.3", Reason.UNSUPPORTED_ALGORITHM);
    Refused.unless("sealed-push-keys+jws".equals(header.get("typ")), "11.3", Reason.WRONG_TYPE);
    Refused.unless(header.members().keySet().equals(Set.of("alg", "typ", "kid")), "11.3", Reason.MALFORMED_HEADER);
    Jwk root = roots.keys().stream().filter(key -> key.kid().equals(header.get("kid"))).findFirst().orElse(null);
    Refused.unless(root != null, "11.4", Reason.UNKNOWN_SIGNER);
    byte[] signed = Bytes.utf8(parts[0] + "." + parts[1]);
    Refused.unless(Ed25519.isValid(ed25519, root.publicKey(), signed, bytes[2]), "11.5", Reason.BAD_SIGNATURE);

    Json.Obj claims = Json.objectOrNull(bytes[1]);
    Refused.unless(claims != null, "11.6", Reason.MALFORMED_CLAIMS);
    Refused.unless(claims.isOne("v"), "11.6", Reason.UNSUPPORTED_VERSION);
    Long serial = claims.seconds("serial");
    Long issued = claims.seconds("iat");
    Long end = claims.seconds("exp");
    boolean hasClaims = Claims.isTopic(claims.string("topic")) && serial != null && serial > 0 && issued != null
        && end != null && claims.get("keys") instanceof Json.Obj;
    Refused.unless(hasClaims, "11.6", Reason.MALFORMED_CLAIMS);
    KeySet keys = KeySet.read(claims.object("keys"), false);
    Refused.unless(keys != null && (!keys.isDevice() || keys.hasActive()), "11.7", Reason.INVALID_KEYS);
    Refused.unless(keys.isSenders(), "11.7", Reason.WRONG_KEYS);
    Refused.unless(claims.string("topic").equals(topic), "11.8", Reason.OTHER_TOPIC);
    return new SignedSenders(text, root.kid(), serial, issued, end, keys);
  }

  /**
   * Whether this set is another one that takes the place of the one at hand; throws by rule 11.9 if it must not.
   *
   * @param atHand null if there is none, or if it no longer complies with the rules
   */
  public boolean replaces(SignedSenders atHand) throws Refused {
    if (atHand == null || serial > atHand.serial) return true;
    Refused.unless(serial == atHand.serial, "11.9", Reason.OLDER_SERIAL);
    Refused.unless(text.equals(atHand.text), "11.9", Reason.SAME_SERIAL);
    return false;
  }

  public Senders senders() throws Refused { return Senders.of(keys, end); }
}
