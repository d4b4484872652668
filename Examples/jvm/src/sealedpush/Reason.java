package sealedpush;

import java.util.Locale;

/** Why something was refused: the words in code of the format. */
public enum Reason {
  // Messages, and requests for a proof.
  NO_ENVELOPE, MALFORMED_ENVELOPE, TOO_LARGE, UNSUPPORTED_VERSION, UNSUPPORTED_SUITE, SUITE_NOT_ACCEPTED,
  UNKNOWN_KEY, KEY_LOCKED, NOT_AUTHENTIC, MALFORMED_CONTENT, ANONYMOUS_NOT_ACCEPTED, UNKNOWN_SENDER,
  BAD_SIGNATURE, EXPIRED, NOT_YET_VALID, OTHER_ACCOUNT, REPLAYED, DEADLINE,
  OTHER_AUDIENCE, OTHER_IDENTITY, INACTIVE_KEY,
  // Signed sets, with TOO_LARGE, UNSUPPORTED_VERSION and BAD_SIGNATURE.
  MALFORMED_JWS, MALFORMED_HEADER, UNSUPPORTED_ALGORITHM, WRONG_TYPE, UNKNOWN_SIGNER, MALFORMED_CLAIMS,
  INVALID_KEYS, WRONG_KEYS, OTHER_TOPIC, OLDER_SERIAL, SAME_SERIAL;

  /** The word of the format, such as {@code not-authentic}. */
  public String code() { return name().toLowerCase(Locale.ROOT).replace('_', '-'); }
}
