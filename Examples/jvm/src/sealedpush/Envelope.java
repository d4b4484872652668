package sealedpush;

import java.util.*;

/** The envelope of sections 1 and 2. */
record Envelope(Suite suite, byte[] keyID, byte[] encapsulated, byte[] ciphertext) {
  static final int LONGEST = 8192;

  /** The envelope that is the member {@code name} of a payload. */
  static Envelope read(Json.Obj payload, String name, PushType type, Set<Suite> accepted) throws Refused {
    Json.Obj holder = type == PushType.LIVE_ACTIVITY ? payload.object("aps").object("content-state") : payload;
    Refused.unless(holder.has(name), "1.1", Reason.NO_ENVELOPE);
    String text = holder.string(name);
    Refused.unless(text != null, "1.2", Reason.MALFORMED_ENVELOPE);
    Refused.unless(Bytes.utf8(text).length <= LONGEST, "1.3", Reason.TOO_LARGE);

    byte[] bytes = Bytes.fromBase64url(text);
    Refused.unless(bytes != null, "2.1", Reason.MALFORMED_ENVELOPE);
    Refused.unless(bytes.length > 0, "2.2", Reason.MALFORMED_ENVELOPE);
    Refused.unless(bytes[0] == 1, "2.2", Reason.UNSUPPORTED_VERSION);
    Refused.unless(bytes.length > 1, "2.3", Reason.MALFORMED_ENVELOPE);
    Suite suite = Suite.numbered(bytes[1] & 0xff);
    Refused.unless(suite != null, "2.3", Reason.UNSUPPORTED_SUITE);
    int ciphertext = 10 + suite.encapsulated;
    Refused.unless(bytes.length >= ciphertext + 16, "2.4", Reason.MALFORMED_ENVELOPE);
    Refused.unless(suite != Suite.P256_AESGCM || bytes[10] == 4, "2.5", Reason.MALFORMED_ENVELOPE);
    Refused.unless(suite != Suite.XWING_AESGCM, "2.7", Reason.UNSUPPORTED_SUITE);
    Refused.unless(accepted.contains(suite), "2.6", Reason.SUITE_NOT_ACCEPTED);
    return new Envelope(suite, Bytes.slice(bytes, 2, 10), Bytes.slice(bytes, 10, ciphertext),
        Bytes.slice(bytes, ciphertext, bytes.length));
  }

  boolean isFor(Jwk key) { return key.kind().suite == suite && Arrays.equals(key.keyID(), keyID); }
}
