package sealedpush.android;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.io.IOException;
import java.security.*;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import sealedpush.IdentityFile;

/** Encrypts the identity's file with an AES key of Android's Keystore: a nonce (12), and the ciphertext. */
public final class KeystoreWrapping implements IdentityFile.Wrapping {
  private static final String KEYSTORE = "AndroidKeyStore";
  private static final String ALIAS = "sealedpush.wrapping";
  private static final int NONCE = 12;

  @Override public byte[] wrap(byte[] bytes) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, key());  // The Keystore draws the nonce.
    byte[] sealed = cipher.doFinal(bytes);
    byte[] result = Arrays.copyOf(cipher.getIV(), NONCE + sealed.length);
    System.arraycopy(sealed, 0, result, NONCE, sealed.length);
    return result;
  }

  @Override public byte[] unwrap(byte[] bytes) throws GeneralSecurityException {
    if (bytes.length < NONCE) throw new GeneralSecurityException("the file is too short");
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(Cipher.DECRYPT_MODE, key(), new GCMParameterSpec(128, bytes, 0, NONCE));
    return cipher.doFinal(bytes, NONCE, bytes.length - NONCE);
  }

  /** One thread at a time: a key that a second one makes would destroy the first's. */
  private static synchronized SecretKey key() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance(KEYSTORE);
      store.load(null);
      if (store.getKey(ALIAS, null) instanceof SecretKey key) return key;
    } catch (IOException fault) {
      throw new KeyStoreException(fault);
    }
    int purposes = KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT;
    KeyGenerator generator = KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, KEYSTORE);
    generator.init(new KeyGenParameterSpec.Builder(ALIAS, purposes).setKeySize(256)
        .setBlockModes(KeyProperties.BLOCK_MODE_GCM).setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
        .build());
    return generator.generateKey();
  }
}
