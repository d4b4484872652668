package sealedpush;

/** Section 7: what was opened before. */
public interface ReplayMemory {
  /** What a memory says of a message. Only the first has consequences. */
  enum Freshness { FIRST, DUPLICATE, NOT_CHECKED }

  /**
   * What is remembered. The texts have no spaces.
   *
   * @param origin whose message it is
   * @param name the digest of origin, content type and message id: what it is remembered under
   * @param digest of the content
   * @param lastSecond the last second at which the message is opened
   */
  record Entry(String origin, String name, String digest, long issued, long lastSecond) {}

  /** Remembers a message that has passed every other rule; throws by rule 7.1. */
  Freshness check(Entry entry, long now, Deadline deadline) throws Refused;
}
