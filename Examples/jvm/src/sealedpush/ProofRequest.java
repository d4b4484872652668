package sealedpush;

import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * A backend's request that the device show that it has a key, by rules 11.19 and 11.20.
 *
 * @param identity T of the identity that is asked
 * @param key T of the key that opened the request
 */
public record ProofRequest(String audience, byte[] identity, String proof, byte[] key, boolean isDuplicate,
    String text) {
  static ProofRequest read(byte[] content, byte[] key) throws Refused {
    Json.Obj object = Json.objectOrNull(content);
    boolean isGood = object != null && object.members().keySet().equals(Set.of("v", "audience", "identity", "proof"))
        && object.isOne("v") && Bytes.fromBase64url(object.get("identity"), 32) != null
        && Claims.isAudience(object.string("audience")) && Claims.isProof(object.string("proof"));
    Refused.unless(isGood, "11.19", Reason.MALFORMED_CONTENT);
    return new ProofRequest(object.string("audience"), Bytes.fromBase64url(object.string("identity")),
        object.string("proof"), key, false, new String(content, StandardCharsets.UTF_8));
  }

  ProofRequest asDuplicate() { return new ProofRequest(audience, identity, proof, key, true, text); }

  /** Throws by rule 11.20 unless the device whose enroller this is answers, if it is no duplicate. */
  public void check(Enroller enroller) throws Refused {
    Refused.unless(audience.equals(enroller.audience()), "11.20", Reason.OTHER_AUDIENCE);
    Refused.unless(Arrays.equals(identity, enroller.identity().thumbprint()), "11.20", Reason.OTHER_IDENTITY);
    boolean isActive = enroller.activeKeys().stream().anyMatch(active -> Arrays.equals(active.thumbprint(), key));
    Refused.unless(isActive, "11.20", Reason.INACTIVE_KEY);
  }
}
