package sealedpush;

import java.security.*;
import java.util.List;

/** Where the keys are that open messages: a file, Android's Keystore, or both. */
@FunctionalInterface
public interface DeviceKeys {
  /** A key that opens messages. */
  sealed interface Key {
    /** What the backend knows of the key. */
    Jwk jwk();
  }

  /** A key pair of suite 0x01 or 0x02. Android's Keystore can be one: the private key never leaves it. */
  non-sealed interface Pair extends Key {
    /** The agreement with a sealer's public key: 32 bytes, u of X25519 or x of P-256. */
    byte[] agree(PublicKey peer) throws GeneralSecurityException, Refused;
  }

  /** A key of suite 0x10, which both sides have. */
  record Shared(Jwk jwk) implements Key {}

  /** All keys, the active and the accepted ones. Throws {@link Refused#keyLocked} if they cannot be read. */
  List<Key> keys() throws Refused;
}
