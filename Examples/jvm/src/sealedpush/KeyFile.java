package sealedpush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;

/** The project's private JWK Sets in files: a device's keys, or shared keys. */
public final class KeyFile implements DeviceKeys {
  private final List<Key> keys = new ArrayList<>();

  private record FilePair(Jwk jwk, PrivateKey key) implements Pair {
    @Override public byte[] agree(PublicKey peer) throws GeneralSecurityException {
      return Curves.agree(jwk.suite(), key, peer);
    }
  }

  /** Keys of sets. Those of suite 0x03 are judged, and left out. Throws by section 3 if a set is refused. */
  public KeyFile(List<KeySet> sets) throws Refused {
    for (KeySet set : sets) {
      Refused.unless(set != null, "3", Reason.INVALID_KEYS);
      Refused.unless(set.isDevice(), "3", Reason.WRONG_KEYS);
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
    if (key.suite() == Suite.XWING_AESGCM) return;
    if (key.suite() == Suite.SHARED_CHACHAPOLY) {
      keys.add(new Shared(key));
      return;
    }
    try {
      PrivateKey secret = Curves.privateKey(key.suite(), key.secret());
      Refused.unless(Curves.belongs(key.suite(), secret, key.publicKey()), "3", Reason.INVALID_KEYS);
      keys.add(new FilePair(key, secret));
    } catch (GeneralSecurityException fault) {
      throw new Refused("3", Reason.INVALID_KEYS);
    }
  }

  /**
   * Writes a new active key of a suite, 0x01 or 0x02, beside the keys that the file has, if there is one. The
   * key that was active stays as an accepted one, until {@link #remove}.
   */
  public static void rotate(Path file, Suite suite, long now) throws IOException, Refused, GeneralSecurityException {
    var keys = new ArrayList<Jwk>();
    for (Key key : Files.exists(file) ? read(file).keys() : List.<Key>of()) {
      Jwk old = key.jwk();
      boolean demoted = old.suite() == suite && old.isActive();
      keys.add(demoted ? new Jwk(suite, old.publicKey(), old.thumbprint(), old.secret(), old.issued(), old.notBefore(),
          old.expires(), "accepted") : old);
    }
    var generator = KeyPairGenerator.getInstance(suite == Suite.P256_AESGCM ? "EC" : "XDH");
    if (suite == Suite.P256_AESGCM) generator.initialize(new ECGenParameterSpec("secp256r1"));
    else generator.initialize(255);
    var pair = generator.generateKeyPair();
    Jwk jwk = Jwk.of(suite, Curves.publicBytes(pair.getPublic()), now, "active");
    keys.add(0, new Jwk(suite, jwk.publicKey(), jwk.thumbprint(), Curves.privateBytes(pair), now, null, null, "active"));
    AtomicFile.write(file, Bytes.utf8(Json.write(new KeySet(keys, null, 0).object(true)) + "\n"));
  }
}
