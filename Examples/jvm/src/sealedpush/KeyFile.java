package sealedpush;

import java.io.IOException;
import java.nio.file.*;
import java.security.*;
import java.util.*;

/** The project's private JWK Sets in files: a device's keys, or shared keys. */
public final class KeyFile implements DeviceKeys {
  private record FilePair(Jwk jwk, PrivateKey key) implements Pair {
    @Override public byte[] agree(PublicKey peer) throws GeneralSecurityException {
      return Curves.agree(jwk.kind().suite, key, peer);
    }
  }

  private final List<Key> keys = new ArrayList<>();

  /** Keys of sets. Those of suite 0x03 are judged, and left out. Throws by section 3 if a set is refused. */
  public KeyFile(List<KeySet> sets) throws Refused {
    for (KeySet set : sets) {
      Refused.unless(set != null, "3", Reason.INVALID_KEYS);
      Refused.unless(set.role() == null && !set.isSenders(), "3", Reason.WRONG_KEYS);
      for (Jwk key : set.keys()) add(key);
    }
  }

  public static KeyFile read(Path... files) throws IOException, Refused {
    var sets = new ArrayList<KeySet>();
    for (Path file : files) sets.add(KeySet.read(Json.objectOrNull(Files.readAllBytes(file)), true));
    return new KeyFile(sets);
  }

  @Override public List<Key> keys() { return keys; }

  private void add(Jwk key) throws Refused {
    if (key.kind() == Jwk.Kind.XWING) return;
    try {
      PrivateKey secret = key.kind() == Jwk.Kind.SHARED ? null : Curves.privateKey(key.kind().suite, key.secret());
      boolean belongs = secret == null || Curves.belongs(key.kind().suite, secret, key.publicKey());
      Refused.unless(belongs, "3", Reason.INVALID_KEYS);
      keys.add(secret == null ? new Shared(key) : new FilePair(key, secret));
    } catch (GeneralSecurityException fault) {
      throw new Refused("3", Reason.INVALID_KEYS);
    }
  }

  /**
   * Writes a new active key, of X25519 or P-256, in front of the device's keys that the file has, if there is one. The
   * key that was active becomes an accepted one.
   */
  public static void rotate(Path file, Jwk.Kind kind, long now) throws IOException, Refused, GeneralSecurityException {
    KeyPair pair = Curves.generate(kind.suite);
    var keys = new ArrayList<Jwk>();
    keys.add(Jwk.of(kind, Curves.publicBytes(pair.getPublic()), Curves.privateBytes(pair.getPrivate()), now, true));
    try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
      if (locked.exists()) {
        KeySet old = KeySet.read(Json.objectOrNull(locked.read()), true);
        Refused.unless(old != null && old.isDevice(), "3", Reason.INVALID_KEYS);
        old.keys().forEach(key -> keys.add(key.kind() == kind ? key.accepted() : key));
      }
      locked.write(new KeySet(keys, null, 0).privateText());
    }
  }
}
