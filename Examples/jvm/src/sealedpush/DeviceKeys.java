package sealedpush;

import java.util.List;

/** Where the keys are that open messages: a file, Android's Keystore, or both. */
@FunctionalInterface
public interface DeviceKeys {
  /** The keys cannot be read, as on a phone that was not unlocked since it started: rule 3.2. */
  final class Locked extends Exception {
    private static final long serialVersionUID = 1;
  }

  /** All keys, the active and the accepted ones. */
  List<OpeningKey> keys() throws Locked;
}
