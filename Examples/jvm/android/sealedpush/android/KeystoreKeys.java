package sealedpush.android;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import android.security.keystore.StrongBoxUnavailableException;
import java.io.IOException;
import java.security.*;
import java.security.spec.ECGenParameterSpec;
import java.util.*;
import java.util.stream.Collectors;
import javax.crypto.KeyAgreement;
import sealedpush.Curves;
import sealedpush.DeviceKeys;
import sealedpush.Jwk;
import sealedpush.Refused;

/**
 * P-256 keys in Android's Keystore, which never leave it. An alias has the second in which its key was made. The
 * newest key is active, and the others are accepted until {@link #remove}.
 */
public final class KeystoreKeys implements DeviceKeys {
  private static final String KEYSTORE = "AndroidKeyStore";
  private static final String PREFIX = "sealedpush.";

  private record KeystorePair(Jwk jwk, PrivateKey key) implements Pair {
    @Override public byte[] agree(PublicKey peer) throws GeneralSecurityException, Refused {
      try {
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH", KEYSTORE);
        agreement.init(key);
        agreement.doPhase(peer, true);
        return agreement.generateSecret();
      } catch (ProviderException fault) {
        throw Refused.keyLocked();  // The Keystore failed, not the message.
      }
    }
  }

  @Override public List<Key> keys() throws Refused {
    try {
      KeyStore store = store();
      List<Key> keys = new ArrayList<>();
      for (long made : made(store)) {
        String alias = PREFIX + made;
        byte[] point = Curves.publicBytes(store.getCertificate(alias).getPublicKey());
        Jwk jwk = Jwk.of(Jwk.Kind.P256, point, null, made, keys.isEmpty());
        keys.add(new KeystorePair(jwk, (PrivateKey) store.getKey(alias, null)));
      }
      return keys;
    } catch (GeneralSecurityException | IOException | ProviderException fault) {
      throw Refused.keyLocked();
    }
  }

  /**
   * Makes a new key, in StrongBox if the phone has one. It becomes the active one, whatever the clock says: enrol then.
   * A key under an alias that another key has would destroy that one.
   */
  public void rotate(long now) throws GeneralSecurityException, IOException {
    synchronized (KeystoreKeys.class) {
      List<Long> made = made(store());
      long second = made.isEmpty() ? now : Math.max(now, made.get(0) + 1);
      try {
        generate(second, true);
      } catch (StrongBoxUnavailableException none) {
        generate(second, false);
      }
    }
  }

  /** Destroys a key, 30 days after the backend began to use a newer one. */
  public void remove(Jwk key) throws GeneralSecurityException, IOException {
    store().deleteEntry(PREFIX + key.issued());
  }

  private static void generate(long second, boolean strongBox) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, KEYSTORE);
    generator.initialize(new KeyGenParameterSpec.Builder(PREFIX + second, KeyProperties.PURPOSE_AGREE_KEY)
        .setAlgorithmParameterSpec(new ECGenParameterSpec("secp256r1")).setIsStrongBoxBacked(strongBox).build());
    generator.generateKeyPair();
  }

  private static KeyStore store() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KEYSTORE);
    store.load(null);
    return store;
  }

  /** When the keys were made, the newest first. */
  private static List<Long> made(KeyStore store) throws KeyStoreException {
    return Collections.list(store.aliases()).stream().filter(alias -> alias.matches("sealedpush\\.[0-9]+"))
        .map(alias -> Long.valueOf(alias.substring(PREFIX.length()))).sorted(Comparator.reverseOrder())
        .collect(Collectors.toList());
  }
}
