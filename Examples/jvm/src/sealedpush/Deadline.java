package sealedpush;

import java.time.Duration;

/** When the time for a message runs out. The system that hands it over says how long it waits. */
public record Deadline(long nanoTime) {
  public static Deadline in(Duration time) { return new Deadline(System.nanoTime() + time.toNanos()); }

  /** What is left, in nanoseconds; 0 or less if the time has run out. */
  long left() { return nanoTime - System.nanoTime(); }

  void check() throws Refused { Refused.unless(left() > 0, "8", Reason.DEADLINE); }
}
