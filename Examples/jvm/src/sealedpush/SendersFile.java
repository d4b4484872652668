package sealedpush;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.List;

/**
 * The set of senders that a device has: the newest of the one that its app ships and those that arrived.
 *
 * @param file has the newest that arrived, if one did
 * @param shipped the text of the one in the app
 */
public record SendersFile(Path file, String shipped, KeySet roots, String topic, Ed25519 ed25519) implements Senders {
  /** Whether a set that arrived is now the device's; false if it is already. Throws by rules 11.1 to 11.9. */
  public boolean accept(String text) throws Refused, IOException {
    SignedSenders arrived = SignedSenders.read(text, roots, topic, ed25519);
    try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
      if (!arrived.replaces(atHand())) return false;
      locked.write(Bytes.utf8(text));
      return true;
    }
  }

  @Override public List<Key> keys() throws Refused {
    try {
      SignedSenders set = atHand();
      return set == null ? List.of() : set.senders().keys();
    } catch (IOException fault) {
      throw Refused.keyLocked();
    }
  }

  private SignedSenders atHand() throws IOException {
    SignedSenders ours = readOrNull(shipped);
    if (!Files.exists(file)) return ours;
    SignedSenders arrived = readOrNull(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    return ours == null || (arrived != null && arrived.serial() > ours.serial()) ? arrived : ours;
  }

  /** The set, or null if it no longer complies with the rules: such a one counts as none. */
  private SignedSenders readOrNull(String text) {
    try {
      return SignedSenders.read(text, roots, topic, ed25519);
    } catch (Refused none) {
      return null;
    }
  }
}
