package sealedpush;

import java.nio.ByteBuffer;
import java.util.*;

/**
 * The plaintext of section 5.
 *
 * @param issued issued at, Unix seconds
 * @param lifetime seconds
 * @param signer the sender's key id, or null
 * @param before what is before the signature
 */
record Plaintext(int contentType, UUID messageID, long issued, long lifetime, byte[] signer, byte[] signature,
    byte[] before, byte[] content) {
  static final long CLOCKS_MAY_DIFFER = 300;
  private static final long LONGEST_LIFETIME = 2_592_000;

  static Plaintext read(byte[] padded, Set<Integer> expectedTypes) throws Refused {
    int end = padded.length - 1;
    while (end >= 0 && padded[end] == 0) end -= 1;
    Refused.unless(end >= 0 && padded[end] == (byte) 0x80, "5.1", Reason.MALFORMED_CONTENT);

    boolean signed = (padded[0] & 1) == 1;
    int before = signed ? 37 : 29;
    int content = signed ? before + 64 : before;
    Refused.unless(end >= content, "5.2", Reason.MALFORMED_CONTENT);
    int type = (padded[0] & 0xff) >> 4;
    Refused.unless(expectedTypes.contains(type), "5.3", Reason.MALFORMED_CONTENT);
    Refused.unless((padded[0] & 0x0e) == 0, "5.4", Reason.MALFORMED_CONTENT);

    var fields = ByteBuffer.wrap(padded, 1, 28);
    var messageID = new UUID(fields.getLong(), fields.getLong());
    long issued = fields.getLong();
    Refused.unless(issued >= 0 && issued < 1L << 53, "5.5", Reason.MALFORMED_CONTENT);
    long lifetime = fields.getInt() & 0xffff_ffffL;
    Refused.unless(lifetime <= LONGEST_LIFETIME, "5.6", Reason.MALFORMED_CONTENT);
    return new Plaintext(type, messageID, issued, lifetime, signed ? Bytes.slice(padded, 29, 37) : null,
        signed ? Bytes.slice(padded, before, content) : null, Bytes.slice(padded, 0, before),
        Bytes.slice(padded, content, end));
  }

  boolean isNotification() { return contentType == PushType.ALERT.contentType; }

  boolean isRequest() { return contentType == PushType.PROOF_REQUEST; }

  boolean isSigned() { return signer != null; }

  /** The last second at which the message is opened. */
  long lastSecond() { return issued + lifetime + CLOCKS_MAY_DIFFER; }

  void checkSignature(Jwk sender, byte[] info, Ed25519 ed25519) throws Refused {
    byte[] signed = Bytes.join(Bytes.utf8("sealed-push v1 signature"), new byte[1], info, before, content);
    Refused.unless(Ed25519.isValid(ed25519, sender.publicKey(), signed, signature), "5.9", Reason.BAD_SIGNATURE);
  }

  void checkTimes(long now) throws Refused {
    Refused.unless(now <= lastSecond(), "5.10", Reason.EXPIRED);
    Refused.unless(issued <= now + CLOCKS_MAY_DIFFER, "5.11", Reason.NOT_YET_VALID);
  }
}
