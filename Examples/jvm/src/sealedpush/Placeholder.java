package sealedpush;

/** The texts of section 8, which depend on nothing but the reason. */
@FunctionalInterface
public interface Placeholder {
  Placeholder PLAIN = reason -> "(Encrypted)";

  String text(Reason reason);

  /** A fixed title, or null for the outer payload's. A data message of FCM has none. */
  default String title() { return null; }
}
