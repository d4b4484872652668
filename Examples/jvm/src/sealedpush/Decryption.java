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

  private final byte[] suiteID;

  private Decryption(byte[] suiteID) { this.suiteID = suiteID; }

  static byte[] info(String topic, Suite suite, byte[] thumbprint) {
    byte[] bundle = Bytes.ascii(topic);
    return Bytes.join(Bytes.ascii("sealed-push v1"), new byte[1], Bytes.number(bundle.length, 2), bundle,
        new byte[] {1, (byte) suite.number}, thumbprint);
  }

  /** The plaintext. Whatever fails is rule 4.1, or in suite 0x10 rule 4.2 or 4.3. */
  static byte[] open(Envelope envelope, DeviceKeys.Key key, byte[] info) throws Refused, DeviceKeys.Locked {
    String rule = key instanceof DeviceKeys.Shared ? "4.3" : "4.1";
    try {
      return key instanceof DeviceKeys.Pair pair ? hpke(envelope, pair, info) : shared(envelope, key.jwk(), info);
    } catch (GeneralSecurityException fault) {
      throw new Refused(rule, Reason.NOT_AUTHENTIC);
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
      throws GeneralSecurityException, DeviceKeys.Locked {
    boolean isX25519 = envelope.suite() == Suite.X25519_CHACHAPOLY;
    byte[] kem = Bytes.number(isX25519 ? 0x0020 : 0x0010, 2);
    byte[] enc = envelope.encapsulated();

    var decapsulation = new Decryption(Bytes.join(Bytes.ascii("KEM"), kem));
    byte[] agreed = key.agree(Curves.publicKey(envelope.suite(), enc));
    byte[] prk = decapsulation.extract(NONE, "eae_prk", agreed);
    byte[] secret = decapsulation.expand(prk, "shared_secret", Bytes.join(enc, key.jwk().publicKey()), 32);

    byte[] algorithms = Bytes.join(kem, Bytes.number(0x0001, 2), Bytes.number(isX25519 ? 0x0003 : 0x0002, 2));
    var schedule = new Decryption(Bytes.join(Bytes.ascii("HPKE"), algorithms));
    byte[] context = Bytes.join(BASE_MODE, schedule.extract(NONE, "psk_id_hash", NONE),
        schedule.extract(NONE, "info_hash", info));
    byte[] scheduled = schedule.extract(secret, "secret", NONE);
    return decrypt(envelope, schedule.expand(scheduled, "key", context, 32),
        schedule.expand(scheduled, "base_nonce", context, 12));
  }

  private byte[] extract(byte[] salt, String label, byte[] material) throws GeneralSecurityException {
    return Hkdf.extract(salt, Bytes.join(Bytes.ascii("HPKE-v1"), suiteID, Bytes.ascii(label), material));
  }

  private byte[] expand(byte[] key, String label, byte[] info, int length) throws GeneralSecurityException {
    byte[] labeled = Bytes.join(Bytes.number(length, 2), Bytes.ascii("HPKE-v1"), suiteID, Bytes.ascii(label), info);
    return Hkdf.expand(key, labeled, length);
  }

  private static byte[] decrypt(Envelope envelope, byte[] key, byte[] nonce) throws GeneralSecurityException {
    boolean isAES = envelope.suite() == Suite.P256_AESGCM;
    AlgorithmParameterSpec parameters = isAES ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
    Cipher cipher = Cipher.getInstance(isAES ? "AES/GCM/NoPadding" : "ChaCha20-Poly1305");
    cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, isAES ? "AES" : "ChaCha20"), parameters);
    return cipher.doFinal(envelope.ciphertext());
  }
}
