package sealedpush;

import java.math.BigInteger;
import java.security.*;
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

  private static final BigInteger ONE = BigInteger.ONE;
  /** 2^255 - 19 */
  private static final BigInteger P = ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
  /** 2^252 + 27742317777372353535851937790883648493 */
  private static final BigInteger L = ONE.shiftLeft(252).add(
      new BigInteger("27742317777372353535851937790883648493"));

  /** The u of X25519's points of small order, below p: of order 1, 2, 4 and 8. */
  private static final Set<BigInteger> SMALL_U = Set.of(BigInteger.ZERO, ONE, P.subtract(ONE),
      new BigInteger("00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0", 16),
      new BigInteger("57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f", 16));

  /** The y of Ed25519's points of small order. */
  private static final Set<BigInteger> SMALL_Y = Set.of(BigInteger.ZERO, ONE, P.subtract(ONE),
      new BigInteger("05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826", 16),
      new BigInteger("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16));

  /** The last bytes of the object identifiers of RFC 8410. */
  static final byte X25519 = 0x6e;
  static final byte ED25519 = 0x70;

  /** RFC 8410's encoding of a public key. */
  static X509EncodedKeySpec encodedPublic(byte curve, byte[] key) {
    byte[] prefix = {0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, curve, 3, 0x21, 0};
    return new X509EncodedKeySpec(Bytes.join(prefix, key));
  }

  static PKCS8EncodedKeySpec encodedPrivate(byte curve, byte[] key) {
    byte[] prefix = {0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, curve, 4, 0x22, 4, 0x20};
    return new PKCS8EncodedKeySpec(Bytes.join(prefix, key));
  }

  /** The u coordinate as RFC 7748 reads any 32 bytes. */
  private static BigInteger coordinate(byte[] u) { return Bytes.littleEndian(u).clearBit(255).mod(P); }

  private static boolean isSmallOrderX25519(byte[] u) { return SMALL_U.contains(coordinate(u)); }

  /** Section 3 about a public key: canonical, and not of small order. */
  static boolean isGoodX25519(byte[] u) {
    return Bytes.littleEndian(u).compareTo(P) < 0 && !isSmallOrderX25519(u);
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
    parameters.init(new ECGenParameterSpec("secp256r1"));
    return parameters.getParameterSpec(ECParameterSpec.class);
  }

  /** Whether 0x04 | x | y is a point of P-256, its coordinates below p. */
  static boolean isOnP256(byte[] point) throws GeneralSecurityException {
    if (point.length != 65 || point[0] != 4) return false;
    var curve = p256().getCurve();
    BigInteger p = ((ECFieldFp) curve.getField()).getP();
    BigInteger x = new BigInteger(1, Bytes.slice(point, 1, 33));
    BigInteger y = new BigInteger(1, Bytes.slice(point, 33, 65));
    if (x.compareTo(p) >= 0 || y.compareTo(p) >= 0) return false;
    BigInteger right = x.pow(3).add(curve.getA().multiply(x)).add(curve.getB()).mod(p);
    return y.pow(2).mod(p).equals(right);
  }

  /** The platform's key for an encapsulated or public key; rule 4.1. */
  static PublicKey publicKey(Suite suite, byte[] bytes) throws GeneralSecurityException {
    if (suite == Suite.X25519_CHACHAPOLY) {
      if (isSmallOrderX25519(bytes)) throw new InvalidKeySpecException();
      return x25519(Bytes.reversed(Bytes.of32(coordinate(bytes))));
    }
    if (!isOnP256(bytes)) throw new InvalidKeySpecException();
    var x = new BigInteger(1, Bytes.slice(bytes, 1, 33));
    var y = new BigInteger(1, Bytes.slice(bytes, 33, 65));
    return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), p256()));
  }

  private static PublicKey x25519(byte[] canonical) throws GeneralSecurityException {
    return KeyFactory.getInstance("XDH").generatePublic(encodedPublic(X25519, canonical));
  }

  /** The platform's key for the member {@code d}. */
  static PrivateKey privateKey(Suite suite, byte[] d) throws GeneralSecurityException {
    return suite == Suite.X25519_CHACHAPOLY
        ? KeyFactory.getInstance("XDH").generatePrivate(encodedPrivate(X25519, d))
        : KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(new BigInteger(1, d), p256()));
  }

  /** What both sides of an agreement get: 32 bytes, not all zero. */
  public static byte[] agree(Suite suite, PrivateKey key, PublicKey peer) throws GeneralSecurityException {
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
      byte[] nine = new byte[32];
      nine[0] = 9;
      return Arrays.equals(agree(suite, key, x25519(nine)), point);
    }
    var signature = java.security.Signature.getInstance("SHA256withECDSA");
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

  /** The member {@code d} of a pair's private key. */
  static byte[] privateBytes(KeyPair pair) {
    if (pair.getPrivate() instanceof java.security.interfaces.ECPrivateKey key) return Bytes.of32(key.getS());
    byte[] encoded = pair.getPrivate().getEncoded();  // A PrivateKeyInfo without attributes ends with the key.
    return Bytes.slice(encoded, encoded.length - 32, encoded.length);
  }
}
