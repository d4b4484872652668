package sealedpush;

import java.io.IOException;
import java.nio.file.*;
import java.security.GeneralSecurityException;
import java.util.*;

/** An identity in the project's file for it: a private JWK Set whose role is {@code identity}, with its serial. */
public final class IdentityFile implements Identity {
  /** What encrypts the file, such as an AES key of Android's Keystore. */
  public interface Wrapping {
    Wrapping NONE = new Wrapping() {
      @Override public byte[] wrap(byte[] bytes) { return bytes; }

      @Override public byte[] unwrap(byte[] bytes) { return bytes; }
    };

    byte[] wrap(byte[] bytes) throws GeneralSecurityException;

    byte[] unwrap(byte[] bytes) throws GeneralSecurityException;
  }

  private final Path file;
  private final Wrapping wrapping;
  private final Ed25519 ed25519;
  private final Jwk key;

  /** Reads an identity. Throws by section 3 if the file has none. */
  public IdentityFile(Path file, Wrapping wrapping, Ed25519 ed25519)
      throws IOException, GeneralSecurityException, Refused {
    this.file = file;
    this.wrapping = wrapping;
    this.ed25519 = ed25519;
    key = read(Files.readAllBytes(file)).keys().get(0);
    boolean belongs = Ed25519.isValid(ed25519, key.publicKey(), key.thumbprint(), sign(key.thumbprint()));
    Refused.unless(belongs, "3", Reason.INVALID_KEYS);
  }

  /** Makes an identity. The file must not exist. */
  public static IdentityFile create(Path file, Wrapping wrapping, Ed25519 ed25519, long now)
      throws IOException, GeneralSecurityException, Refused {
    try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
      if (locked.exists()) throw new FileAlreadyExistsException(file.toString());
      byte[] pair = ed25519.generate();
      Jwk key = Jwk.of(Jwk.Kind.ED25519, Bytes.slice(pair, 32, 64), Bytes.slice(pair, 0, 32), now, true);
      locked.write(wrapping.wrap(new KeySet(List.of(key), "identity", 0).privateText()));
    }
    return new IdentityFile(file, wrapping, ed25519);
  }

  @Override public byte[] publicKey() { return key.publicKey(); }

  @Override public byte[] sign(byte[] message) throws GeneralSecurityException {
    return ed25519.sign(key.secret(), message);
  }

  @Override public long nextSerial(long now) throws IOException, GeneralSecurityException, Refused {
    try (var locked = new LockedFile(file, LockedFile.MOST_WAIT)) {
      KeySet set = read(locked.read());
      Refused.unless(set.keys().get(0).kid().equals(key.kid()), "11", Reason.OTHER_IDENTITY);
      long serial = Math.max(set.serial() + 1, now);
      locked.write(wrapping.wrap(new KeySet(set.keys(), "identity", serial).privateText()));
      return serial;
    }
  }

  private KeySet read(byte[] wrapped) throws GeneralSecurityException, Refused {
    KeySet set = KeySet.read(Json.objectOrNull(wrapping.unwrap(wrapped)), true);
    boolean isIdentity = set != null && "identity".equals(set.role()) && set.keys().size() == 1;
    Refused.unless(isIdentity, "11", Reason.INVALID_KEYS);
    return set;
  }
}
