package sealedpush;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.*;

/** Section 4: from an envelope to its plaintext. */
final class Decryption {
  private static final byte[] NONE = {};
  private static final byte[] BASE_MODE = {0};

  private Decryption() {}

  static byte[] info(String topic, Suite suite, byte[] thumbprint) {
    byte[] bundle = Bytes.utf8(topic);
    return Bytes.join(Bytes.utf8("sealed-push v1"), new byte[1], Bytes.number(bundle.length, 2), bundle,
        new byte[] {1, (byte) suite.number}, thumbprint);
  }

  /** The plaintext. Whatever fails is rule 4.1, or in suite 0x10 rule 4.2 or 4.3. */
  static byte[] open(Envelope envelope, DeviceKeys.Key key, byte[] info) throws Refused {
    try {
      return key instanceof DeviceKeys.Pair pair ? hpke(envelope, pair, info) : shared(envelope, key.jwk(), info);
    } catch (GeneralSecurityException fault) {
      throw new Refused(key instanceof DeviceKeys.Pair ? "4.1" : "4.3", Reason.NOT_AUTHENTIC);
    }
  }

  private static byte[] shared(Envelope envelope, Jwk key, byte[] info) throws GeneralSecurityException, Refused {
    byte[] salt = Bytes.slice(envelope.encapsulated(), 0, 32);
    byte[] derived = Hkdf.expand(Hkdf.extract(salt, key.secret()), info, 76);
    byte[] commitment = Bytes.slice(envelope.encapsulated(), 32, 64);
    boolean committed = MessageDigest.isEqual(Bytes.slice(derived, 0, 32), commitment);
    Refused.unless(committed, "4.2", Reason.NOT_AUTHENTIC);
    return decrypt(envelope, Bytes.slice(derived, 32, 64), Bytes.slice(derived, 64, 76));
  }

  /** HPKE's single shot in base mode (RFC 9180), without additional data. */
  private static byte[] hpke(Envelope envelope, DeviceKeys.Pair key, byte[] info)
      throws GeneralSecurityException, Refused {
    boolean isX25519 = envelope.suite() == Suite.X25519_CHACHAPOLY;
    byte[] kem = Bytes.number(isX25519 ? 0x0020 : 0x0010, 2);
    byte[] kemID = Bytes.join(Bytes.utf8("KEM"), kem);
    byte[] enc = envelope.encapsulated();
    byte[] prk = extract(kemID, NONE, "eae_prk", key.agree(Curves.publicKey(envelope.suite(), enc)));
    byte[] shared = expand(kemID, prk, "shared_secret", Bytes.join(enc, key.jwk().publicKey()), 32);

    byte[] aead = Bytes.number(isX25519 ? 0x0003 : 0x0002, 2);
    byte[] suiteID = Bytes.join(Bytes.utf8("HPKE"), kem, Bytes.number(0x0001, 2), aead);
    byte[] infoHash = extract(suiteID, NONE, "info_hash", info);
    byte[] context = Bytes.join(BASE_MODE, extract(suiteID, NONE, "psk_id_hash", NONE), infoHash);
    byte[] secret = extract(suiteID, shared, "secret", NONE);
    byte[] nonce = expand(suiteID, secret, "base_nonce", context, 12);
    return decrypt(envelope, expand(suiteID, secret, "key", context, 32), nonce);
  }

  private static byte[] extract(byte[] id, byte[] salt, String label, byte[] ikm) throws GeneralSecurityException {
    return Hkdf.extract(salt, Bytes.join(Bytes.utf8("HPKE-v1"), id, Bytes.utf8(label), ikm));
  }

  private static byte[] expand(byte[] id, byte[] prk, String label, byte[] info, int length)
      throws GeneralSecurityException {
    byte[] labeled = Bytes.join(Bytes.number(length, 2), Bytes.utf8("HPKE-v1"), id, Bytes.utf8(label), info);
    return Hkdf.expand(prk, labeled, length);
  }

  private static byte[] decrypt(Envelope envelope, byte[] key, byte[] nonce) throws GeneralSecurityException {
    boolean isAES = envelope.suite() == Suite.P256_AESGCM;
    AlgorithmParameterSpec parameters = isAES ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
    Cipher cipher = Cipher.getInstance(isAES ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, isAES ? "AES" : "ChaCha20"), parameters);
    return cipher.doFinal(envelope.ciphertext());
  }
}
