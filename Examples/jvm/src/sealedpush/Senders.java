package sealedpush;

import java.util.List;
import java.util.stream.Collectors;

/** The senders that an app trusts. */
@FunctionalInterface
public interface Senders {
  /**
   * A sender's key.
   *
   * @param setEnd the end of the signed set that it is from, in Unix seconds; null if from no such set
   */
  record Key(Jwk jwk, Long setEnd) {}

  List<Key> keys() throws Refused;

  /** The senders of a public set that nobody signed. Throws by rule 11.7 if they are none. */
  static Senders of(KeySet set) throws Refused { return of(set, null); }

  static Senders of(KeySet set, Long setEnd) throws Refused {
    Refused.unless(set != null, "11.7", Reason.INVALID_KEYS);
    Refused.unless(set.isSenders(), "11.7", Reason.WRONG_KEYS);
    List<Key> keys = set.keys().stream().filter(key -> !key.status().equals("next"))
        .map(key -> new Key(key, setEnd)).collect(Collectors.toList());
    return () -> keys;
  }
}
