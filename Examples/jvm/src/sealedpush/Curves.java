package sealedpush;

import java.math.BigInteger;
import java.security.*;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.*;
import java.util.Arrays;
import java.util.Set;
import javax.crypto.KeyAgreement;

/**
 * What the format says about points, as numbers, and the platform's keys for them. There is no arithmetic on a
 * curve here but P-256's equation.
 */
public final class Curves {
  private Curves() {}

  /** 2^255 - 19 */
  private static final BigInteger P = BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
  /** 2^252 + 27742317777372353535851937790883648493 */
  private static final BigInteger L = BigInteger.ONE.shiftLeft(252).add(
      new BigInteger("27742317777372353535851937790883648493"));

  private static final ECGenParameterSpec P256 = new ECGenParameterSpec("secp256r1");

  /** The u of X25519's points of small order, below p: of order 1, 2, 4 and 8. */
  private static final Set<BigInteger> SMALL_U = Set.of(BigInteger.ZERO, BigInteger.ONE, P.subtract(BigInteger.ONE),
      new BigInteger("00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0", 16),
      new BigInteger("57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f", 16));

  /** The y of Ed25519's points of small order. */
  private static final Set<BigInteger> SMALL_Y = Set.of(BigInteger.ZERO, BigInteger.ONE, P.subtract(BigInteger.ONE),
      new BigInteger("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16),
      new BigInteger("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16));

  /** RFC 8410's encodings end with the key. The identifier of an algorithm ends with this byte. */
  private static byte identifier(String algorithm) { return (byte) (algorithm.equals("XDH") ? 0x6e : 0x70); }

  /** The platform's key of {@code XDH} or {@code Ed25519} for u or y. */
  static PublicKey publicKey(String algorithm, byte[] key) throws GeneralSecurityException {
    byte[] prefix = {0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, identifier(algorithm), 3, 0x21, 0};
    return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(Bytes.join(prefix, key)));
  }

  static PrivateKey privateKey(String algorithm, byte[] key) throws GeneralSecurityException {
    byte[] prefix = {0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, identifier(algorithm), 4, 0x22, 4, 0x20};
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(Bytes.join(prefix, key)));
  }

  /** The u coordinate as RFC 7748 reads any 32 bytes. */
  private static BigInteger coordinate(byte[] u) { return Bytes.littleEndian(u).clearBit(255).mod(P); }

  /** Section 3 about a public key: canonical, and not of small order. */
  static boolean isGoodX25519(byte[] u) {
    return Bytes.littleEndian(u).compareTo(P) < 0 && !SMALL_U.contains(coordinate(u));
  }

  /** Rule 5.9 about a public key and about R: y is below p, and the point not of small order. */
  static boolean isGoodEd25519(byte[] point) {
    BigInteger y = Bytes.littleEndian(point).clearBit(255);
    return y.compareTo(P) < 0 && !SMALL_Y.contains(y);
  }

  /** Rule 5.9 about S. */
  static boolean isBelowOrderEd25519(byte[] scalar) { return Bytes.littleEndian(scalar).compareTo(L) < 0; }

  static ECParameterSpec p256() throws GeneralSecurityException {
    var parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(P256);
    return parameters.getParameterSpec(ECParameterSpec.class);
  }

  /** The point of P-256 that is 0x04 | x | y, its coordinates below p; null if there is none. */
  static ECPoint pointOfP256(byte[] bytes) throws GeneralSecurityException {
    if (bytes.length != 65 || bytes[0] != 4) return null;
    var curve = p256().getCurve();
    BigInteger p = ((ECFieldFp) curve.getField()).getP();
    BigInteger x = new BigInteger(1, Bytes.slice(bytes, 1, 33));
    BigInteger y = new BigInteger(1, Bytes.slice(bytes, 33, 65));
    BigInteger right = x.pow(3).add(curve.getA().multiply(x)).add(curve.getB()).mod(p);
    boolean isPoint = x.compareTo(p) < 0 && y.compareTo(p) < 0 && y.pow(2).mod(p).equals(right);
    return isPoint ? new ECPoint(x, y) : null;
  }

  /** The platform's key for an encapsulated or public key; rule 4.1. */
  static PublicKey publicKey(Suite suite, byte[] bytes) throws GeneralSecurityException {
    if (suite == Suite.X25519_CHACHAPOLY) {
      if (SMALL_U.contains(coordinate(bytes))) throw new InvalidKeySpecException();
      return publicKey("XDH", Bytes.reversed(Bytes.number(coordinate(bytes), 32)));
    }
    ECPoint point = pointOfP256(bytes);
    if (point == null) throw new InvalidKeySpecException();
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, p256()));
  }

  /** A new key pair of suite 0x01 or 0x02. */
  static KeyPair generate(Suite suite) throws GeneralSecurityException {
    if (suite == Suite.X25519_CHACHAPOLY) return KeyPairGenerator.getInstance("XDH").generateKeyPair();
    if (suite != Suite.P256_AESGCM) throw new IllegalArgumentException("keys are made of X25519 and P-256");
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(P256);
    return generator.generateKeyPair();
  }

  /** The platform's key for the member {@code d}. */
  static PrivateKey privateKey(Suite suite, byte[] d) throws GeneralSecurityException {
    if (suite == Suite.X25519_CHACHAPOLY) return privateKey("XDH", d);
    return KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(new BigInteger(1, d), p256()));
  }

  /** What both sides of an agreement get, 32 bytes: not all zero, because {@link #publicKey} refuses such a peer. */
  static byte[] agree(Suite suite, PrivateKey key, PublicKey peer) throws GeneralSecurityException {
    var agreement = KeyAgreement.getInstance(suite == Suite.X25519_CHACHAPOLY ? "XDH" : "ECDH");
    agreement.init(key);
    agreement.doPhase(peer, true);
    return agreement.generateSecret();
  }

  /**
   * Whether a public key is that of a private one. For X25519 that is the agreement with the base point, 9. For
   * P-256 it gives x alone; a signature tells y from p - y.
   */
  static boolean belongs(Suite suite, PrivateKey key, byte[] point) throws GeneralSecurityException {
    if (suite == Suite.X25519_CHACHAPOLY) {
      return Arrays.equals(agree(suite, key, publicKey(suite, Bytes.reversed(Bytes.number(9, 32)))), point);
    }
    var signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    byte[] signed = signature.sign();
    signature.initVerify(publicKey(suite, point));
    return signature.verify(signed);
  }

  /** The public key of a pair as it is in section 3: u, or 0x04 | x | y. */
  public static byte[] publicBytes(PublicKey key) {
    byte[] encoded = key.getEncoded();  // A SubjectPublicKeyInfo ends with the point.
    int length = key.getAlgorithm().equals("EC") ? 65 : 32;
    return Bytes.slice(encoded, encoded.length - length, encoded.length);
  }

  /** The member {@code d} of a private key. */
  static byte[] privateBytes(PrivateKey key) {
    if (key instanceof ECPrivateKey scalar) return Bytes.number(scalar.getS(), 32);
    byte[] encoded = key.getEncoded();  // A PrivateKeyInfo without attributes ends with the key.
    return Bytes.slice(encoded, encoded.length - 32, encoded.length);
  }
}
