package sealedpush;

/** A rule of the format is broken. It says which, and no more. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final String rule;
  private final Reason reason;

  Refused(String rule, Reason reason) {
    super(reason.code() + " (rule " + rule + ")", null, false, false);
    this.rule = rule;
    this.reason = reason;
  }

  /** The keys cannot be read, as on a phone that was not unlocked since it started. */
  public static Refused keyLocked() { return new Refused("3.2", Reason.KEY_LOCKED); }

  /** The rule's number, such as {@code 5.9}. */
  public String rule() { return rule; }

  public Reason reason() { return reason; }

  /** Throws unless the rule holds. */
  static void unless(boolean holds, String rule, Reason reason) throws Refused {
    if (!holds) throw new Refused(rule, reason);
  }
}
