package sealedpush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;

/** An identity in the project's file for it: a private JWK Set whose role is {@code identity}, with its serial. */
public final class IdentityFile implements Identity {
  private final Path file;
  private final Ed25519 ed25519;
  private final Jwk key;

  private IdentityFile(Path file, Ed25519 ed25519, Jwk key) {
    this.file = file;
    this.ed25519 = ed25519;
    this.key = key;
  }

  public static IdentityFile read(Path file, Ed25519 ed25519) throws IOException, Refused {
    Jwk key = set(file).keys().get(0);
    try {
      byte[] signature = ed25519.sign(key.secret(), key.thumbprint());  // Is the public key that of the seed?
      boolean belongs = Ed25519.isValid(ed25519, key.publicKey(), key.thumbprint(), signature);
      Refused.unless(belongs, "3", Reason.INVALID_KEYS);
    } catch (GeneralSecurityException fault) {
      throw new Refused("3", Reason.INVALID_KEYS);
    }
    return new IdentityFile(file, ed25519, key);
  }

  /** Makes an identity. The file must not exist. */
  public static IdentityFile create(Path file, Ed25519 ed25519, long now)
      throws IOException, GeneralSecurityException, Refused {
    if (Files.exists(file)) throw new java.nio.file.FileAlreadyExistsException(file.toString());
    byte[] pair = ed25519.generate();
    Jwk jwk = Jwk.of(null, Arrays.copyOfRange(pair, 32, 64), now, "active");
    write(file, new Jwk(null, jwk.publicKey(), jwk.thumbprint(), Arrays.copyOf(pair, 32), now, null, null, "active"), 0);
    return read(file, ed25519);
  }

  @Override public byte[] publicKey() { return key.publicKey(); }

  @Override public byte[] sign(byte[] message) throws GeneralSecurityException {
    return ed25519.sign(key.secret(), message);
  }

  @Override public synchronized long nextSerial(long now) throws IOException {
    try {
      long serial = Math.max(set(file).serial() + 1, now);
      write(file, key, serial);
      return serial;
    } catch (Refused fault) {
      throw new IOException("not an identity: " + file, fault);
    }
  }

  private static KeySet set(Path file) throws IOException, Refused {
    KeySet set = KeySet.read(Json.objectOrNull(Files.readAllBytes(file)), true);
    boolean isIdentity = set != null && "identity".equals(set.role()) && set.keys().size() == 1;
    Refused.unless(isIdentity, "11", Reason.INVALID_KEYS);
    return set;
  }

  private static void write(Path file, Jwk key, long serial) throws IOException {
    AtomicFile.write(file, Bytes.utf8(Json.write(new KeySet(List.of(key), "identity", serial).object(true)) + "\n"));
  }
}
