package sealedpush;

import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;

/**
 * Pure Ed25519. The default asks the platform, as a JDK from 15 on can. Android could not for long, so an app
 * passes a library's, such as Tink's. It must verify without the cofactor; {@link #isValid} checks the rest.
 */
public interface Ed25519 {
  boolean verify(byte[] publicKey, byte[] message, byte[] signature) throws GeneralSecurityException;

  /** The signature, 64 bytes, by the key of this seed, 32 bytes. */
  byte[] sign(byte[] seed, byte[] message) throws GeneralSecurityException;

  /** A seed and the public key, 32 bytes each, joined. */
  byte[] generate() throws GeneralSecurityException;

  /** Whether a signature is valid by rule 5.9, whatever the library accepts. */
  static boolean isValid(Ed25519 library, byte[] publicKey, byte[] message, byte[] signature) {
    if (signature.length != 64 || !Curves.isGoodEd25519(publicKey)) return false;
    if (!Curves.isGoodEd25519(Bytes.slice(signature, 0, 32))) return false;
    if (!Curves.isBelowOrderEd25519(Bytes.slice(signature, 32, 64))) return false;
    try {
      return library.verify(publicKey, message, signature);
    } catch (GeneralSecurityException notAPoint) {
      return false;
    }
  }

  /** The platform's. */
  Ed25519 PLATFORM = new Ed25519() {
    private final byte[] publicPrefix = {0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0};
    private final byte[] privatePrefix = {0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20};

    @Override public boolean verify(byte[] publicKey, byte[] message, byte[] signature)
        throws GeneralSecurityException {
      var ed25519 = Signature.getInstance("Ed25519");
      ed25519.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(
          new X509EncodedKeySpec(Bytes.join(publicPrefix, publicKey))));
      ed25519.update(message);
      return ed25519.verify(signature);
    }

    @Override public byte[] sign(byte[] seed, byte[] message) throws GeneralSecurityException {
      var ed25519 = Signature.getInstance("Ed25519");
      ed25519.initSign(KeyFactory.getInstance("Ed25519").generatePrivate(
          new PKCS8EncodedKeySpec(Bytes.join(privatePrefix, seed))));
      ed25519.update(message);
      return ed25519.sign();
    }

    @Override public byte[] generate() throws GeneralSecurityException {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      return Bytes.join(Curves.privateBytes(pair), Curves.publicBytes(pair.getPublic()));
    }
  };
}
