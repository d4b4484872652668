package sealedpush;

/** What becomes of a push. */
public sealed interface Delivery {
  record Shown(Opened message, Notification notification) implements Delivery {}

  /** Data of type {@code fcm-data}, which the app gets and nobody sees. */
  record Data(Opened message) implements Delivery {}

  record Request(ProofRequest request) implements Delivery {}

  /**
   * A rule is broken.
   *
   * @param notification what is shown instead; null if the message is authentic, and is no notification
   */
  record Degraded(Reason reason, String rule, Notification notification) implements Delivery {}
}
