"""ML-KEM-768's Encaps_internal and KeyGen_internal (FIPS 203), which libraries offer only with their own randomness.

A vector's randomness must give its bytes again. It is slow, and not constant time.
"""
import hashlib

N, Q, K, ETA, DU, DV = 256, 3329, 3, 2, 10, 4
INVERSE_128 = 3303


def reversed_bits(number):
    return int(f"{number:07b}"[::-1], 2)


ZETAS = [pow(17, reversed_bits(i), Q) for i in range(128)]
GAMMAS = [pow(17, 2 * reversed_bits(i) + 1, Q) for i in range(128)]


def ntt(f):
    """Algorithm 9."""
    f, i, length = list(f), 1, 128
    while length >= 2:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i + 1
            for j in range(start, start + length):
                t = zeta * f[j + length] % Q
                f[j], f[j + length] = (f[j] + t) % Q, (f[j] - t) % Q
        length //= 2
    return f


def inverse_ntt(f):
    """Algorithm 10."""
    f, i, length = list(f), 127, 2
    while length <= 128:
        for start in range(0, N, 2 * length):
            zeta, i = ZETAS[i], i - 1
            for j in range(start, start + length):
                t = f[j]
                f[j], f[j + length] = (t + f[j + length]) % Q, zeta * (f[j + length] - t) % Q
        length *= 2
    return [x * INVERSE_128 % Q for x in f]


def product(f, g):
    """Algorithms 11 and 12."""
    h = []
    for i in range(128):
        (a, b), (c, d) = f[2 * i:2 * i + 2], g[2 * i:2 * i + 2]
        h += [(a * c + b * d * GAMMAS[i]) % Q, (a * d + b * c) % Q]
    return h


def total(*polynomials):
    return [sum(values) % Q for values in zip(*polynomials)]


def decode(raw, d):
    """Algorithm 6."""
    bits = int.from_bytes(raw, "little")
    return [bits >> d * i & (1 << d) - 1 for i in range(N)]


def encode(f, d):
    """Algorithm 5."""
    return sum(x << d * i for i, x in enumerate(f)).to_bytes(32 * d, "little")


def compress(f, d):
    """4.7"""
    return [(((x << d) + Q // 2) // Q) % (1 << d) for x in f]


def decompress(f, d):
    """4.8"""
    return [(x * Q + (1 << d - 1)) >> d for x in f]


def sample_ntt(seed):
    """Algorithm 7."""
    stream, found = hashlib.shake_128(seed).digest(3 * 1024), []
    for a, b, c in zip(*[iter(stream)] * 3):
        found += [x for x in (a + 256 * (b % 16), b // 16 + 16 * c) if x < Q]
    assert len(found) >= N
    return found[:N]


def noise(seed, number):
    """Algorithm 8, on the output of PRF."""
    bits = int.from_bytes(hashlib.shake_256(seed + bytes([number])).digest(64 * ETA), "little")
    pick = lambda at: bits >> at & 1
    return [(pick(4 * i) + pick(4 * i + 1) - pick(4 * i + 2) - pick(4 * i + 3)) % Q for i in range(N)]


def matrix(rho):
    return [[sample_ntt(rho + bytes([j, i])) for j in range(K)] for i in range(K)]


def public_key(d):
    """Algorithm 13: the encapsulation key of the seed d. (Only decapsulation needs z.)"""
    g = hashlib.sha3_512(d + bytes([K])).digest()
    rho, sigma, a = g[:32], g[32:], matrix(g[:32])
    s, e = ([ntt(noise(sigma, K * part + i)) for i in range(K)] for part in range(2))
    t = [total(*(product(a[i][j], s[j]) for j in range(K)), e[i]) for i in range(K)]
    return b"".join(encode(f, 12) for f in t) + rho


def encapsulate(ek, m):
    """Algorithms 14 and 17: the shared secret and the ciphertext."""
    g = hashlib.sha3_512(m + hashlib.sha3_256(ek).digest()).digest()
    shared, r, rho = g[:32], g[32:], ek[-32:]
    t, a = [decode(ek[384 * i:384 * i + 384], 12) for i in range(K)], matrix(rho)
    y = [ntt(noise(r, i)) for i in range(K)]
    u = [total(inverse_ntt(total(*(product(a[j][i], y[j]) for j in range(K)))), noise(r, K + i)) for i in range(K)]
    v = total(inverse_ntt(total(*(product(t[i], y[i]) for i in range(K)))), noise(r, 2 * K),
              decompress(decode(m, 1), 1))
    return shared, b"".join(encode(compress(f, DU), DU) for f in u) + encode(compress(v, DV), DV)
