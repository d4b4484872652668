package sealedpush;

/** What becomes of a push that a person sees. */
public sealed interface Delivery {
  /** What is shown, whether the message opened or not. */
  Notification notification();

  record Shown(Opened message, Notification notification) implements Delivery {}

  /** @param rule the one that is broken */
  record Degraded(Reason reason, String rule, Notification notification) implements Delivery {}
}
