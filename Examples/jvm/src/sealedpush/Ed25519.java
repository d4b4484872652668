package sealedpush;

import java.security.*;

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
    boolean isGood = signature.length == 64 && Curves.isGoodEd25519(publicKey)
        && Curves.isGoodEd25519(Bytes.slice(signature, 0, 32))
        && Curves.isBelowOrderEd25519(Bytes.slice(signature, 32, 64));
    try {
      return isGood && library.verify(publicKey, message, signature);
    } catch (GeneralSecurityException notAPoint) {
      return false;
    }
  }

  /** The platform's. */
  Ed25519 PLATFORM = new Ed25519() {
    @Override public boolean verify(byte[] key, byte[] message, byte[] signature) throws GeneralSecurityException {
      var ed25519 = Signature.getInstance("Ed25519");
      ed25519.initVerify(Curves.publicKey("Ed25519", key));
      ed25519.update(message);
      return ed25519.verify(signature);
    }

    @Override public byte[] sign(byte[] seed, byte[] message) throws GeneralSecurityException {
      var ed25519 = Signature.getInstance("Ed25519");
      ed25519.initSign(Curves.privateKey("Ed25519", seed));
      ed25519.update(message);
      return ed25519.sign();
    }

    @Override public byte[] generate() throws GeneralSecurityException {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      return Bytes.join(Curves.privateBytes(pair.getPrivate()), Curves.publicBytes(pair.getPublic()));
    }
  };
}
