package sealedpush;

import java.io.IOException;
import java.security.GeneralSecurityException;

/** The device's identity: the Ed25519 key pair by which a backend recognizes it. It never leaves the device. */
public interface Identity {
  byte[] publicKey();

  byte[] sign(byte[] message) throws GeneralSecurityException;

  /** The next serial: the greater of the last one plus 1 and the time. It is recorded before it is returned. */
  long nextSerial(long now) throws IOException, GeneralSecurityException, Refused;

  default byte[] thumbprint() { return Jwk.thumbprint(Jwk.Kind.ED25519, publicKey()); }
}
