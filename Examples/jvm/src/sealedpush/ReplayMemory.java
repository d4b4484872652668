package sealedpush;

/** Section 7: what was opened before. */
public interface ReplayMemory {
  /** What a memory says of a message. Only the first has consequences. */
  enum Freshness { FIRST, DUPLICATE, NOT_CHECKED }

  /**
   * What is remembered.
   *
   * @param origin the sender's thumbprint, or "anonymous" and the recipient key's
   * @param name SHA-256 of origin, content type and message id: what a message is remembered under
   * @param digest of the content
   * @param lastSecond the last second at which the message is opened
   */
  record Entry(byte[] origin, byte[] name, byte[] digest, long issued, long lastSecond) {}

  /** Remembers a message that has passed every other rule; throws by rule 7.1. */
  Freshness check(Entry entry, long now, Deadline deadline) throws Refused;
}
