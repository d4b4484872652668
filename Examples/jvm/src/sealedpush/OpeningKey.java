package sealedpush;

import java.security.GeneralSecurityException;
import java.security.PublicKey;

/** A key that opens messages. */
public sealed interface OpeningKey {
  /** What the backend knows of the key. */
  Jwk jwk();

  /** A key pair of suite 0x01 or 0x02. Android's Keystore can be one: the private key never leaves it. */
  non-sealed interface Pair extends OpeningKey {
    /** The agreement with a sealer's public key: 32 bytes, x of P-256 or u of X25519. */
    byte[] agree(PublicKey peer) throws GeneralSecurityException;
  }

  /** A key of suite 0x10, which both sides have. */
  record Shared(Jwk jwk) implements OpeningKey {}
}
